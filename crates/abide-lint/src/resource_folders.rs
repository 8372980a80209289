//! Folders in which sites keep what their pages load, by the system that the site is made with.

/// A kind of resources: its name, and how its paths end.
#[derive(Debug)]
pub(crate) struct ResourceKind {
    pub(crate) name: &'static str,
    pub(crate) ending: &'static str,
}

const STYLE: ResourceKind = ResourceKind {
    name: "style sheets",
    ending: ".css",
};
const SCRIPT: ResourceKind = ResourceKind {
    name: "scripts",
    ending: ".js",
};
const IMAGE: ResourceKind = ResourceKind {
    name: "images",
    ending: ".jpg",
};

pub(crate) const STYLES: &[ResourceKind] = &[STYLE];
pub(crate) const SCRIPTS: &[ResourceKind] = &[SCRIPT];
const CODE: &[ResourceKind] = &[STYLE, SCRIPT];
const IMAGES: &[ResourceKind] = &[IMAGE];
const ALL: &[ResourceKind] = &[STYLE, SCRIPT, IMAGE];

/// A folder, and what is in it.
#[derive(Debug)]
pub(crate) struct ResourceFolder {
    /// Its path in lower case, without a slash at the end.
    path: &'static str,
    pub(crate) kinds: &'static [ResourceKind],
    /// The system that has it; `None` for names that many sites use.
    pub(crate) system: Option<&'static str>,
    /// Whether the name is that of such a folder below another one too, as in `/blog/wp-content`.
    anywhere: bool,
}

impl ResourceFolder {
    /// The system that the site is certainly made with: a name that is found anywhere is nobody
    /// else's.
    pub(crate) fn proven_system(&self) -> Option<&'static str> {
        self.system.filter(|_| self.anywhere)
    }

    /// Folders of the system in which a site has resources of a kind, this one first, as paths
    /// from this one on.
    pub(crate) fn places_of(&self, kind: &ResourceKind) -> impl Iterator<Item = &'static str> {
        let has = |kinds: &[ResourceKind]| kinds.iter().any(|own| own.ending == kind.ending);
        let own = has(self.kinds).then_some("");
        let theirs = FOLDERS
            .iter()
            .filter(move |other| other.system == self.system && has(other.kinds));
        let below = theirs.filter_map(|other| other.path.strip_prefix(self.path));
        own.into_iter()
            .chain(below.filter(|rest| rest.starts_with('/')))
    }
}

const fn folder(
    system: &'static str,
    path: &'static str,
    kinds: &'static [ResourceKind],
    anywhere: bool,
) -> ResourceFolder {
    ResourceFolder {
        path,
        kinds,
        system: Some(system),
        anywhere,
    }
}

const fn plain(path: &'static str, kinds: &'static [ResourceKind]) -> ResourceFolder {
    ResourceFolder {
        path,
        kinds,
        system: None,
        anywhere: true,
    }
}

/// The folders, with the page that says so.
static FOLDERS: &[ResourceFolder] = &[
    // developer.wordpress.org/plugins/plugin-basics/determining-plugin-and-content-directories/ and
    // codex.wordpress.org/Template:Directory_URL_Tags
    folder("WordPress", "/wp-content", ALL, true),
    folder("WordPress", "/wp-content/plugins", CODE, true),
    folder("WordPress", "/wp-content/themes", CODE, true),
    folder("WordPress", "/wp-content/uploads", IMAGES, true),
    folder("WordPress", "/wp-includes", CODE, true),
    // https://nextjs.org/docs/pages/api-reference/next-config-js/assetPrefix
    folder("Next.js", "/_next", ALL, true),
    folder("Next.js", "/_next/static", CODE, true),
    folder("Next.js", "/_next/image", IMAGES, true),
    // https://nuxt.com/docs/4.x/api/nuxt-config#buildassetsdir
    folder("Nuxt", "/_nuxt", CODE, true),
    // https://image.nuxt.com/providers/ipx
    folder("Nuxt", "/_ipx", IMAGES, true),
    // https://docs.astro.build/en/reference/configuration-reference/#buildassets
    folder("Astro", "/_astro", CODE, true),
    // www.drupal.org/docs/understanding-drupal/directory-structure; misc until Drupal 7
    folder("Drupal", "/core", CODE, false),
    folder("Drupal", "/misc", CODE, false),
    folder("Drupal", "/modules", CODE, false),
    folder("Drupal", "/profiles", CODE, false),
    folder("Drupal", "/sites", ALL, false),
    folder("Drupal", "/sites/default/files", ALL, false),
    // shopify.dev/docs/storefronts/themes/best-practices/performance/use-shopify-cdn
    folder("Shopify", "/cdn", ALL, false),
    folder("Shopify", "/cdn/shop", ALL, false),
    // experienceleague.adobe.com, Commerce configuration guide: "Deploy static view files"; skin in
    // Magento 1
    folder("Magento", "/pub/static", CODE, false),
    folder("Magento", "/pub/media", IMAGES, false),
    folder("Magento", "/skin", ALL, false),
    // experienceleague.adobe.com/docs/experience-manager-65/developing/introduction/clientlibs.html
    folder("Adobe Experience Manager", "/etc", CODE, false),
    folder("Adobe Experience Manager", "/etc.clientlibs", CODE, false),
    folder("Adobe Experience Manager", "/etc/clientlibs", CODE, false),
    folder("Adobe Experience Manager", "/etc/designs", ALL, false),
    folder("Adobe Experience Manager", "/libs", CODE, false),
    folder("Adobe Experience Manager", "/content/dam", IMAGES, false),
    // docs.typo3.org/m/typo3/reference-coreapi/main/en-us/Administration/DirectoryStructure/
    folder("TYPO3", "/_assets", CODE, false),
    folder("TYPO3", "/fileadmin", IMAGES, false),
    folder("TYPO3", "/typo3conf", CODE, false),
    folder("TYPO3", "/typo3conf/ext", CODE, false),
    folder("TYPO3", "/typo3temp", ALL, false),
    folder("TYPO3", "/typo3temp/assets", ALL, false),
    // Names that say what is in the folder.
    plain("/css", STYLES),
    plain("/stylesheets", STYLES),
    plain("/js", SCRIPTS),
    plain("/javascripts", SCRIPTS),
    plain("/static", CODE),
    plain("/assets", CODE),
    ResourceFolder {
        anywhere: false,
        ..plain("/style", STYLES)
    },
    ResourceFolder {
        anywhere: false,
        ..plain("/styles", STYLES)
    },
    ResourceFolder {
        anywhere: false,
        ..plain("/dist", CODE)
    },
    ResourceFolder {
        anywhere: false,
        ..plain("/themes", CODE)
    },
    ResourceFolder {
        anywhere: false,
        ..plain("/templates", CODE)
    },
    ResourceFolder {
        anywhere: false,
        ..plain("/app_themes", CODE)
    },
];

/// What is known about a folder, written in lower case without a slash at the end.
pub(crate) fn holding(folder: &[u8]) -> Option<&'static ResourceFolder> {
    let is_it = |known: &&ResourceFolder| {
        let path = known.path.as_bytes();
        folder == path || (known.anywhere && folder.ends_with(path))
    };
    FOLDERS.iter().find(is_it)
}
