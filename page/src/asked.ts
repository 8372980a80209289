/** Turns what the user entered into requests. */
import { member } from './bytes';
import { draftOf, listOf, siteUrl, type State } from './state';

/** Header lines as people paste them; without a status line. */
export function headersOf(text: string): [string, string][] {
  return text.split(/\r?\n/).flatMap((line): [string, string][] => {
    const colon = line.indexOf(':');
    return colon > 0 ? [[line.slice(0, colon).trim(), line.slice(colon + 1).trim()]] : [];
  });
}

export function hasAcap(robots: string): boolean {
  return /^\s*acap-/im.test(robots);
}

/** The origin that paths belong to. */
export function originOf(state: State): string {
  const site = siteUrl(state.site);
  return site ? new URL(site).origin : 'https://site.example';
}

/** The response that brings the page, as far as it was entered. */
export function pageOf(state: State): Record<string, unknown> {
  const headers = headersOf(state.headers);
  return {
    ...(headers.length > 0 ? { headers } : {}),
    ...(state.html.trim() ? { html: state.html } : {}),
    ...(state.rendered.trim() ? { rendered_html: state.rendered } : {}),
  };
}

/** Whether the answers are about a site without a file. */
export function isAbsent(state: State): boolean {
  return state.absence !== '' && !state.robots.trim();
}

function absence({ absence }: State): Record<string, unknown> {
  return /^\d{3}$/.test(absence) ? { robots_status: Number(absence) } : { robots_error: absence };
}

/** The members of a request that describe the file, the page and the robot beyond its name. */
export function circumstances(state: State): Record<string, unknown> {
  const licences = state.rsl.filter(([, text]) => text.trim());
  const acap = hasAcap(state.robots) && (state.acapNames.trim() || state.acapPurposes.trim())
    ? { names: listOf(state.acapNames), purposes: listOf(state.acapPurposes) } : null;
  return {
    ...(isAbsent(state) ? absence(state) : member(draftOf(state))),
    nonstandard_token: true,
    preferences: {
      ...(state.vocabularies.length > 0 ? { vocabularies: state.vocabularies } : {}),
      ...(state.use ? { use: state.use } : {}),
      ...(state.tdmrep.trim() ? { tdmrep: state.tdmrep } : {}),
      ...(licences.length > 0 ? { rsl: Object.fromEntries(licences) } : {}),
    },
    ...(listOf(state.purposes).length > 0 ? { purposes: listOf(state.purposes) } : {}),
    ...pageOf(state),
    ...(acap ? { acap } : {}),
  };
}

export function applicationsOf(state: State): Record<string, unknown> {
  const applications = listOf(state.applications);
  return applications.length > 0 ? { applications } : {};
}

/** A path becomes a URL of the site; other text stays as it is, and the service says what is wrong. */
export function absolute(url: string, state: State): string {
  return url.startsWith('/') ? originOf(state) + url : url;
}
