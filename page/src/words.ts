/** The page's words for what the service answers with. */
import type { Outcome } from './service';

export const USAGES: Record<string, string> = {
  crawl: 'Crawl',
  train: 'Training',
  'ai-input': 'AI input',
  search: 'Search',
  index: 'Index',
  follow: 'Follow links',
  preserve: 'Keep a copy',
  present: 'Show',
  'present-original': 'Show the original',
  'present-currentcopy': 'Show the current copy',
  'present-oldcopy': 'Show an old copy',
  'present-snippet': 'Show a snippet',
  'present-thumbnail': 'Show a thumbnail',
  'present-oldsnippet': 'Show an old snippet',
  'present-oldthumbnail': 'Show an old thumbnail',
  'present-link': 'Show a link',
  other: 'Other uses',
};

/** What a usage is, for people who meet the word for the first time. */
export const USAGE_MEANINGS: Record<string, string> = {
  crawl: 'Fetch the URL.',
  train: 'Train or fine-tune a model that generates content.',
  'ai-input': 'Give the page to a model while it works, to ground an answer for example.',
  search: 'Find pages and send people to them.',
};

export const PREFERENCE_USAGES = ['train', 'ai-input', 'search'];

export function outcomeWord(outcome: Outcome, usage: string): string {
  switch (outcome) {
    case 'permitted': return 'allowed';
    case 'prohibited': return 'disallowed';
    case 'conditional': return 'conditional';
    case 'unknown': return 'unknown';
    case 'unspecified': return PREFERENCE_USAGES.includes(usage) ? 'no preference' : 'not mentioned';
  }
}

export const OUTCOME_SIGNS: Record<Outcome, string> = {
  permitted: '✓', prohibited: '✕', conditional: '◐', unspecified: '–', unknown: '?',
};

export const KINDS: Record<string, string> = {
  search: 'Search', 'ai-training': 'AI training', 'ai-input': 'AI answers', 'user-triggered': 'On request of a user',
  'control-token': 'Control tokens', archive: 'Archives', seo: 'SEO', preview: 'Previews', monitoring: 'Monitoring', ads: 'Advertising',
  feeds: 'Feeds', academic: 'Research', security: 'Security', shopping: 'Shopping', translation: 'Translation', other: 'Other',
  'every-other': 'Robots that the file does not name', unknown: 'Robots that are not in the table', all: 'All known robots',
};

export const VOCABULARIES: Record<string, string> = {
  'content-usage': 'Content-Usage', 'content-signal': 'Content-Signal', tdmrep: 'TDMRep', rsl: 'RSL', 'robots-tag': 'robots tag',
  'control-token': 'control token',
};

export function robotName(name: string): string {
  return name === '*' ? 'any other robot' : name;
}

/** Why a usage was decided where no statement of the site did. */
export function standardReason(reason: string, cause?: string): string {
  switch (reason) {
    case 'no-rule-matches': return 'no rule of the group matches';
    case 'no-group': return 'no group applies';
    case 'robots-txt-itself': return 'robots.txt itself is always allowed';
    case 'unavailable': return `the site has no robots.txt${cause ? ` (${cause})` : ''}`;
    case 'unreachable': return `robots.txt could not be fetched${cause ? ` (${cause})` : ''}`;
    case 'robots-txt-not-known': return 'robots.txt is not known';
    case 'says-so': return 'it says so';
    case 'says-the-same': return 'it says the same';
    case 'stricter-wins': return 'something stricter counts';
    case 'not-listed': return 'it lists other uses only';
    case 'licence-not-known': return 'this page does not have the licence document';
    case 'licence-unreadable': return 'the licence document cannot be read, and so it permits nothing';
    case 'tdmrep-not-known': return 'this page does not have the tdmrep.json';
    case 'tdmrep-too-large': return 'the tdmrep.json is too large to be read';
    default: return reason.replaceAll('-', ' ');
  }
}

/** What the fields of robots.txt mean: shown when the pointer rests on one. */
export const FIELDS: Record<string, string> = {
  'user-agent': 'Begins a group: the rules below are for the robot with this product token. * means every robot that no other group names.',
  'user-agent-purpose': 'Begins a group for every robot that crawls for this purpose.',
  disallow: 'Asks the robots of this group not to crawl URLs whose path matches this pattern. The longest matching rule decides.',
  allow: 'Lets the robots of this group crawl URLs whose path matches this pattern, also below a shorter Disallow.',
  sitemap: 'Tells all robots where a sitemap is. It belongs to no group.',
  'crawl-delay': 'Asks the robots of this group to wait so many seconds between visits. Google ignores it.',
  'content-usage': 'Says how content may be used: train-ai, ai-use and search, each with y or n. It can begin with a path.',
  'content-signal': 'Says how content may be used: search, ai-input and ai-train, each with yes or no. It can begin with a path.',
  license: 'Names a licence document (RSL). Before the first group it is for all robots.',
  'app-directives': 'Asks one application to do something with what was crawled.',
  host: 'Named the preferred host for Yandex, which no longer reads it. Redirect the other hosts instead.',
};

export function bytes(number: number): string {
  return number < 1024 ? `${number} bytes` : `${(number / 1024).toLocaleString('en', { maximumFractionDigits: 1 })} KiB`;
}

/** An instant as people of this browser write it, with its zone. */
export function instant(text: string): string {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) return text;
  return date.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}
