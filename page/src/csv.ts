/** Tables in CSV, by the rules of docs/bulk.md. */

/** A cell: `null` is a missing value. What begins like a formula would be run by a spreadsheet. */
export function csvCell(text: string | null): string {
  if (text === null) return '';
  const safe = /^'*[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return safe === '' || /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
