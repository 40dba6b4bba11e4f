import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import go from 'highlight.js/lib/languages/go';
import json from 'highlight.js/lib/languages/json';
import php from 'highlight.js/lib/languages/php';
import text from 'highlight.js/lib/languages/plaintext';
import python from 'highlight.js/lib/languages/python';
import typescript from 'highlight.js/lib/languages/typescript';
import type { Language } from '#/app/docs/_content/samples/languages.ts';

/** The language of a piece of code. */
export type CodeLanguage = Language | 'json' | 'text';

const GRAMMARS = { curl: bash, typescript, php, python, go, json, text } as const satisfies Readonly<
  Record<CodeLanguage, unknown>
>;
for (const [name, grammar] of Object.entries(GRAMMARS)) hljs.registerLanguage(name, grammar);

const drawn = new Map<string, string>();

/** Code as HTML, escaped, with its tokens marked. Runs on the server only; each piece is done once in a process. */
export function highlight(code: string, language: CodeLanguage): string {
  const key = `${language}\n${code}`;
  const known = drawn.get(key) ?? hljs.highlight(code, { language }).value;
  drawn.set(key, known);
  return known;
}
