// Opens pages of reports in Chromium, and prints what is wrong with them, one line each.
//
//     node check.mjs MODULES CHROMIUM [--screenshots DIR] PAGE...
//
// MODULES is a folder with node_modules. The browser's own files are in a new temporary folder.
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [modules, executablePath, ...rest] = process.argv.slice(2);
const require = createRequire(join(modules, 'package.json'));
const { chromium } = require('playwright-core');
const axe = require('axe-core');

const screenshots = rest[0] === '--screenshots' ? rest.splice(0, 2)[1] : undefined;
const WIDTHS = [360, 820, 1400];
let checks = 0;

function fault(where, what) {
  console.log(`${where}: ${what}`);
  process.exitCode = 1;
}

function expect(is, where, what) {
  checks += 1;
  if (!is) fault(where, what);
}

// Runs in the page: the contrast of colors with the page, and what is on it.
function measure() {
  const parse = (color) => color.match(/[\d.]+/g).slice(0, 3).map(Number);
  const luminance = (color) => {
    const [r, g, b] = parse(color).map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (one, other) => {
    const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05);
  };
  const ground = getComputedStyle(document.body).backgroundColor;
  const shown = (element) => element.getClientRects().length > 0;
  const fills = (selector) => [...document.querySelectorAll(selector)].filter(shown)
    .map((element) => ({ fill: getComputedStyle(element).fill, stroke: getComputedStyle(element).stroke }));
  const silent = getComputedStyle(document.documentElement).getPropertyValue('--silent');
  const probe = document.createElement('i');
  probe.style.color = silent;
  document.body.append(probe);
  const filler = getComputedStyle(probe).color;
  probe.remove();
  const texts = fills('.chart text').map(({ fill }) => contrast(fill, ground));
  const bars = fills('.chart rect').filter(({ fill }) => fill !== filler).map(({ fill }) => contrast(fill, ground));
  const lines = fills('.chart path').map(({ stroke }) => contrast(stroke, ground));
  return {
    ground,
    texts,
    bars,
    lines,
    overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    charts: [...document.querySelectorAll('figure')].map((figure) =>
      [figure.querySelectorAll('.chart').length, [...figure.querySelectorAll('.chart')].filter(shown).length]),
    tables: [...document.querySelectorAll('table')].map((table) => table.getBoundingClientRect().height),
    foreign: document.querySelectorAll('script, img, iframe, object, embed, form, [onload], [onerror]').length,
    unselectable: [...document.querySelectorAll('.chart text')]
      .filter((text) => getComputedStyle(text).userSelect === 'none').length,
    outside: [...document.querySelectorAll('.chart')].filter(shown).flatMap((chart) => {
      const box = chart.querySelector('svg').getBoundingClientRect();
      return [...chart.querySelectorAll('text')].filter((text) => {
        const own = text.getBoundingClientRect();
        return own.left < box.left - 1 || own.right > box.right + 1 || own.bottom > box.bottom + 1;
      }).map((text) => text.textContent.trim());
    }),
  };
}

async function accessible(page, where) {
  const report = await page.evaluate(async () => {
    const { violations, passes } = await globalThis.axe.run(document);
    const short = violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ html }) => html.slice(0, 160)).join(' | ')}`);
    return { short, passes: passes.length };
  });
  expect(report.passes > 15, where, `axe checked only ${report.passes} rules`);
  for (const violation of report.short) fault(where, `axe: ${violation}`);
}

// Reaches every table with Tab and Enter alone.
async function keyboard(page, where) {
  const want = await page.locator('summary').count();
  const opened = new Set();
  const regions = new Set();
  for (let presses = 0; presses < 40 + 4 * want; presses += 1) {
    await page.keyboard.press('Tab');
    const at = await page.evaluate(() => {
      const active = document.activeElement;
      const details = [...document.querySelectorAll('details')];
      const style = getComputedStyle(active);
      return {
        tag: active.tagName,
        index: details.indexOf(active.closest('details')),
        open: active.closest('details')?.open ?? false,
        ring: style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) > 0,
        table: active.querySelector?.(':scope > table')?.getBoundingClientRect().height ?? 0,
      };
    });
    if (at.tag === 'BODY') break;
    expect(at.ring, where, `the focus on ${at.tag} is invisible`);
    if (at.tag === 'SUMMARY') {
      opened.add(at.index);
      if (!at.open) await page.keyboard.press('Enter');
    } else if (at.index >= 0) {
      expect(at.table > 0, where, `the table ${at.index} is not shown when it has the focus`);
      regions.add(at.index);
    }
  }
  expect(opened.size === want && regions.size === want, where, `${opened.size} and ${regions.size} of ${want} tables can be reached`);
}

async function look(browser, file, colorScheme, width) {
  const where = `${basename(file)} ${colorScheme} ${width}`;
  const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 } });
  const page = await context.newPage();
  const address = pathToFileURL(file).href;
  let requests = 0;
  page.on('request', (request) => {
    requests += 1;
    expect(request.url() === address || request.url() === 'data:,', where, `asks for ${request.url()}`);
  });
  page.on('console', (message) => fault(where, `the console has: ${message.text()}`));
  page.on('pageerror', (error) => fault(where, `an error: ${error}`));
  page.on('dialog', (dialog) => { fault(where, `a dialog: ${dialog.message()}`); dialog.dismiss(); });
  await page.goto(address);
  expect(requests > 0, where, 'the page itself is not counted');
  await page.evaluate(axe.source);
  await accessible(page, `${where}, closed`);

  const seen = await page.evaluate(measure);
  expect(seen.overflow <= 0, where, `${seen.overflow} pixels wider than the window`);
  expect(seen.foreign === 0, where, `${seen.foreign} elements that nothing should have made`);
  expect(seen.unselectable === 0, where, 'text in charts that cannot be selected');
  expect(seen.charts.every(([all, shown]) => all === 0 || (all === 2 && shown === 1)), where, 'each chart is shown once');
  expect(seen.charts.some(([all]) => all > 0), where, 'there is no chart');
  expect(seen.outside.length === 0, where, `text beyond its chart: ${seen.outside.slice(0, 3)}`);
  expect(Math.min(...seen.texts) >= 4.5, where, `text in charts has a contrast of ${Math.min(...seen.texts)}`);
  expect(Math.min(...seen.bars, ...seen.lines) >= 3, where, `charts have a contrast of ${Math.min(...seen.bars, ...seen.lines)}`);
  if (screenshots) await page.screenshot({ path: join(screenshots, `${basename(file, '.html')}-${colorScheme}-${width}.png`), fullPage: true });

  await keyboard(page, where);
  await accessible(page, `${where}, open`);
  const open = await page.evaluate(measure);
  expect(open.overflow <= 0, where, `${open.overflow} pixels wider than the window, with tables open`);
  expect(open.tables.every((height) => height > 0), where, 'a table stays closed');
  if (screenshots) await page.screenshot({ path: join(screenshots, `${basename(file, '.html')}-${colorScheme}-${width}-open.png`), fullPage: true });
  await context.close();
  return seen.ground;
}

async function print(browser, file) {
  const where = `${basename(file)} print`;
  const context = await browser.newContext({ colorScheme: 'dark', viewport: { width: 794, height: 1123 } });
  const page = await context.newPage();
  await page.goto(pathToFileURL(file).href);
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  const seen = await page.evaluate(measure);
  expect(seen.ground === 'rgb(255, 255, 255)', where, `the paper is ${seen.ground}`);
  expect(seen.tables.every((height) => height > 0), where, 'tables that are closed are not printed');
  expect(Math.min(...seen.texts) >= 4.5, where, `text in charts has a contrast of ${Math.min(...seen.texts)}`);
  expect(seen.overflow <= 0, where, `${seen.overflow} pixels wider than the paper`);
  const path = screenshots ? join(screenshots, `${basename(file, '.html')}.pdf`) : undefined;
  const pdf = await page.pdf({ format: 'A4', printBackground: false, margin: { top: '15mm', bottom: '15mm', left: '15mm', right: '15mm' }, path });
  expect(pdf.length > 10_000, where, `a PDF of ${pdf.length} bytes`);
  await context.close();
}

const browser = await chromium.launch({
  executablePath,
  headless: true,
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
    '--disable-component-update', '--disable-sync', '--disable-dev-shm-usage'],
});
for (const file of rest) {
  for (const width of WIDTHS) {
    const grounds = [];
    for (const theme of ['light', 'dark']) grounds.push(await look(browser, file, theme, width));
    expect(grounds[0] !== grounds[1], basename(file), 'light and dark look the same');
  }
  await print(browser, file);
}
await browser.close();
console.log(`${checks} checks`);
