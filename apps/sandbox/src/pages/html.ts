import { randomBytes } from 'node:crypto';
import type { Reply } from '../server/router.ts';

/** Text that is already HTML. Everything else put into a page is escaped. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** A value inside a template: text is escaped, HTML is not, null and false leave nothing. */
export type Part = Html | string | number | null | false | readonly Part[];

/** Builds HTML from a template, escaping every value that is not HTML itself; null and false leave nothing. */
export function html(strings: TemplateStringsArray, ...values: Part[]): Html {
  return new Html(strings.reduce((text, string, index) => `${text}${render(values[index - 1] ?? '')}${string}`));
}

function render(part: Part): string {
  if (part === null || part === false) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'string' || typeof part === 'number') return escapeHtml(String(part));
  return part.map(render).join('');
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** A whole page as an answer, with its style and script allowed by name and nothing else. */
export function page(status: number, title: string, style: string, script: string, body: Html): Reply {
  const nonce = randomBytes(12).toString('base64');
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
<style nonce="${nonce}">${new Html(style)}</style>
</head>
<body>
${body}
<script nonce="${nonce}">${new Html(script)}</script>
</body>
</html>
`;
  return {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'content-security-policy': `default-src 'none'; connect-src 'self'; img-src data:; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; base-uri 'none'; frame-ancestors 'none'`,
    },
    body: document.text,
  };
}

/** Colours, type and space that every page of the sandbox is built from; light and dark. */
export const tokens = `
:root {
  color-scheme: light dark;
  --ground: #f5f6f6; --sheet: #ffffff; --ink: #17201f; --quiet: #55605f; --line: #d9dedd; --field: #8a9594;
  --accent: #0b6b66; --accent-ink: #ffffff; --accent-soft: #e3f1f0;
  --good: #17653a; --good-soft: #e4f3ea; --warn: #7a4b00; --warn-soft: #fdf0d8; --bad: #a3201d; --bad-soft: #fbe7e6;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
  --sans: Inter, ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #0f1414; --sheet: #161c1c; --ink: #e8eded; --quiet: #a0acab; --line: #2b3534; --field: #71807e;
    --accent: #5cc4bb; --accent-ink: #04211f; --accent-soft: #14302e;
    --good: #74d19b; --good-soft: #14301f; --warn: #efbf6a; --warn-soft: #35270c; --bad: #f58f8b; --bad-soft: #3a1716;
  }
}
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 15px/1.5 var(--sans); font-variant-numeric: tabular-nums; }
h1, h2, h3, p, dl, dd, ul, ol, fieldset { margin: 0; padding: 0; border: 0; }
ul, ol { list-style: none; }
a { color: var(--accent); text-underline-offset: 3px; }
code, .mono { font-family: var(--mono); font-size: 0.92em; }
[hidden] { display: none !important; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
button, input, select { font: inherit; color: inherit; }
input, select { width: 100%; min-height: 44px; padding: 8px 12px; background: var(--sheet); border: 1px solid var(--field); border-radius: 6px; }
input[aria-invalid="true"] { border-color: var(--bad); }
button { min-height: 44px; padding: 8px 16px; border: 1px solid var(--field); border-radius: 6px; background: transparent; cursor: pointer; }
button:hover { background: var(--accent-soft); }
button.primary { background: var(--accent); border-color: var(--accent); color: var(--accent-ink); font-weight: 600; }
button.primary:hover { filter: brightness(1.08); }
button.plain { border-color: transparent; color: var(--quiet); }
label { display: block; font-weight: 550; font-size: 14px; margin-bottom: 4px; }
.quiet { color: var(--quiet); }
.small { font-size: 13px; }
.test-band { background: var(--warn-soft); color: var(--warn); text-align: center; padding: 6px 16px; font-size: 13px; }
.test-band strong { letter-spacing: 0.06em; }
.wrong { color: var(--bad); font-size: 13px; margin-top: 4px; }
.note { padding: 12px 16px; border-radius: 6px; margin-bottom: 16px; }
.note.bad { background: var(--bad-soft); color: var(--bad); }
.note.good { background: var(--good-soft); color: var(--good); }
.note.warn { background: var(--warn-soft); color: var(--warn); }
.visually-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
`;
