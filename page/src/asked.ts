/** Turns what the user entered into requests. */
import { member } from './bytes';
import { refusal } from './refused';
import { EMPTY, draftOf, listOf, siteUrl, type State } from './state';

/** Header lines as people paste them; without a status line. */
export function headersOf(text: string): [string, string][] {
  return text.split(/\r?\n/).filter(isHeader).map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
  });
}

/** Whether a line is a header: a name without spaces, and a colon. */
export function isHeader(line: string): boolean {
  return /^\s*[^\s:]+\s*:/.test(line);
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

/** Whether the answers are about a site without a file, or with an empty one. */
export function isAbsent(state: State): boolean {
  return state.absence !== '' && !state.robots.trim();
}

function absence(state: State): Record<string, unknown> {
  const { absence } = state;
  if (absence === EMPTY) return member(draftOf(state));
  return /^\d{3}$/.test(absence) ? { robots_status: Number(absence) } : { robots_error: absence };
}

/** The robots to ask about. */
export function agentsOf(state: State): string[] {
  return state.agents.filter((agent) => !refusal('agents', agent));
}

export function acapOf(state: State): { names: string[]; purposes: string[] } | null {
  return hasAcap(state.robots) && (state.acapNames.trim() || state.acapPurposes.trim())
    ? { names: listOf(state.acapNames), purposes: listOf(state.acapPurposes) } : null;
}

/** The purposes that the robots claim, if there are any. */
export function purposesOf(state: State): { purposes?: string[] } {
  const purposes = listOf(state.purposes);
  return purposes.length > 0 && !refusal('purposes', purposes) ? { purposes } : {};
}

/** The members of a request that describe the file, the page and the robot beyond its name. */
export function circumstances(state: State): Record<string, unknown> {
  const licences = state.rsl.filter(([, text]) => text.trim());
  const acap = acapOf(state);
  return {
    ...(isAbsent(state) ? absence(state) : member(draftOf(state))),
    nonstandard_token: true,
    preferences: {
      ...(state.vocabularies.length > 0 ? { vocabularies: state.vocabularies } : {}),
      ...(state.use ? { use: state.use } : {}),
      ...(state.tdmrep.trim() ? { tdmrep: state.tdmrep } : {}),
      ...(licences.length > 0 ? { rsl: Object.fromEntries(licences) } : {}),
    },
    ...purposesOf(state),
    ...pageOf(state),
    ...(acap && !refusal('acap', acap) ? { acap } : {}),
  };
}

export function applicationsOf(state: State): Record<string, unknown> {
  const applications = listOf(state.applications);
  return applications.length > 0 && !refusal('applications', applications) ? { applications } : {};
}

/** A path becomes a URL of the site; other text stays as it is, and the service says what is wrong. */
export function absolute(url: string, state: State): string {
  return url.startsWith('/') ? originOf(state) + url : url;
}
