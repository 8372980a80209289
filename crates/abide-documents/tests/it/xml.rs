//! What well-formed means (PREF-94): documents that differ in one place from a readable one.

use crate::rsl::{document, is_unreadable, licence, root};

#[test]
fn pref_94_well_formed_documents_are_read() {
    let whole = licence("");
    let readable = [
        format!("<?xml version=\"1.0\"?>\n{whole}\n"),
        format!("<?xml version='1.1' encoding='utf-8' standalone='yes' ?>{whole}"),
        format!("<!-- a --><?p?>{whole}<?p q='>'?><!----> "),
        licence("<terms\n a = \"'\"\tb='\"' c='>' d='&#9;&quot;'/>"),
        licence("<terms a='ü' é='1' _b.c-1='2'></terms\n>"),
        licence("a > b ]] > c &#x1F600; <![CDATA[<&]]]]>"),
        licence("<terms xml:lang='en' xmlns:xml='http://www.w3.org/XML/1998/namespace'/>"),
        licence("<n xmlns=''><m/></n>"),
        licence("<x:n xmlns:x='x' xmlns:y='y' x:a='' y:a='' a=''/>"),
    ];
    for text in readable {
        assert_eq!(document(&text).contents.len(), 1, "{text}");
    }
}

#[test]
fn pref_94_documents_that_are_not_well_formed_are_unreadable() {
    let whole = licence("");
    let unreadable = [
        // Around the root.
        format!("{whole}{whole}"),
        format!("{whole}<a/>"),
        format!("{whole}x"),
        format!("x{whole}"),
        format!("&#32;{whole}"),
        format!("<![CDATA[]]>{whole}"),
        format!(" <?xml version='1.0'?>{whole}"),
        format!("{whole}<?xml version='1.0'?>"),
        whole.replace("</rsl>", ""),
        format!("{whole}</rsl>"),
        // Declarations and instructions.
        format!("<?xml?>{whole}"),
        format!("<?xml encoding='utf-8'?>{whole}"),
        format!("<?xml version='2.0'?>{whole}"),
        format!("<?xml version='1.0' encoding='?'?>{whole}"),
        format!("<?xml version='1.0' standalone='1'?>{whole}"),
        format!("<?xml version='1.0' a='b'?>{whole}"),
        format!("<?XML a?>{whole}"),
        format!("<??>{whole}"),
        format!("<?1?>{whole}"),
        format!("<?p >{whole}"),
        // Comments.
        format!("<!-- a -- b -->{whole}"),
        format!("<!--->{whole}"),
        format!("<!-->{whole}"),
        format!("<!-- a --->{whole}"),
        format!("<!x>{whole}"),
        format!("<![cdata[]]>{whole}"),
        // Tags.
        licence("<terms></term>"),
        licence("<terms></Terms>"),
        licence("<terms></terms a=''>"),
        licence("<terms></ terms>"),
        licence("< terms/>"),
        licence("<terms/ >"),
        licence("<>x</>"),
        licence("<1 xmlns='x'/>"),
        licence("<a:b:c xmlns:a='x'/>"),
        licence("<:a xmlns='x'/>"),
        licence("<a: xmlns:a='x'/>"),
        // Attributes.
        licence("<terms a/>"),
        licence("<terms a=1/>"),
        licence("<terms a='1'b='2'/>"),
        licence("<terms a='1' a='2'/>"),
        licence("<terms a='<'/>"),
        licence("<terms a='&'/>"),
        licence("<terms a='&#0;'/>"),
        licence("<terms a='&#1;'/>"),
        licence("<terms a='&nbsp;'/>"),
        licence("<terms 1='1'/>"),
        licence("<terms ='1'/>"),
        licence("<terms a='1\"/>"),
        // Text.
        licence("&"),
        licence("&;"),
        licence("& amp;"),
        licence("&nbsp;"),
        licence("&#;"),
        licence("&#x110000;"),
        licence("&#xD800;"),
        licence("&#xFFFE;"),
        licence("]]>"),
        licence("\u{1}"),
        licence("\0"),
        licence("\u{FFFF}"),
    ];
    for text in unreadable {
        assert!(is_unreadable(&text), "{text}");
    }
}

#[test]
fn pref_94_namespaces_are_declared() {
    let unreadable = [
        licence("<x:n/>"),
        licence("<terms x:a=''/>"),
        licence("<x:n xmlns:x=''/>"),
        licence("<x:n xmlns:x='x' xmlns:y='x' x:a='' y:a=''/>"),
        licence("<x:n xmlns:x='x'/><x:n/>"),
        licence("<xmlns:n/>"),
        licence("<terms xmlns:xmlns='x'/>"),
        licence("<terms xmlns:xml='x'/>"),
        licence("<terms xmlns:a='http://www.w3.org/XML/1998/namespace'/>"),
        licence("<terms xmlns:a='http://www.w3.org/2000/xmlns/'/>"),
        licence("<n xmlns='http://www.w3.org/2000/xmlns/'/>"),
        licence("<terms xmlns:='x'/>"),
    ];
    for text in unreadable {
        assert!(is_unreadable(&text), "{text}");
    }
    let declared = |count: usize| {
        let element = |from: usize, to: usize| {
            let all: String = (from..to)
                .map(|number| format!(" xmlns:a{number}='x'"))
                .collect();
            format!("<n xmlns=''{all}>")
        };
        // The root's own declaration, and two of the default namespace in the elements.
        let (first, second) = (element(0, 62), element(62, count - 3));
        licence(&format!("{first}{second}</n></n>"))
    };
    assert_eq!(document(declared(127)).contents.len(), 1);
    assert!(is_unreadable(root(&declared(130))));
}
