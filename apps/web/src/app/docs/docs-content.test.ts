import { describeRest, FAILURE_CODES, FIELD_ERROR_CODES, failures, recordedExamples } from '@switchyard/api/rest';
import MiniSearch from 'minisearch';
import { Children, isValidElement, type ReactNode } from 'react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { installationText } from './_components/prose.tsx';
import { SEARCH_OPTIONS, type SearchEntry } from './_components/search/search-options.ts';
import { TOPICS } from './_content/topics.ts';
import { readApiDocument } from './_reference/api-document.ts';
import { drawn, searchEntries, textOf } from './search-index/search-entries.ts';

interface Found {
  readonly hrefs: readonly string[];
  readonly ids: readonly string[];
}

/** The addresses that elements link to, and the ids they have, tables included. */
function hrefsOf(given: ReactNode): Found {
  const node = drawn(given);
  if (Array.isArray(node)) return joined(node.map(hrefsOf));
  if (!isValidElement<{ children?: ReactNode; rows?: readonly ReactNode[]; href?: string; id?: string }>(node)) {
    return { hrefs: [], ids: [] };
  }
  const { children, rows = [], href, id } = node.props;
  const own = { hrefs: href === undefined ? [] : [href], ids: id === undefined ? [] : [id] };
  return joined([own, ...rows.map(hrefsOf), ...Children.toArray(children).map(hrefsOf)]);
}

function joined(found: readonly Found[]): Found {
  return { hrefs: found.flatMap(({ hrefs }) => hrefs), ids: found.flatMap(({ ids }) => ids) };
}

const api = readApiDocument(describeRest('https://pay.example'));
const entries = searchEntries(api);

describe('the search', () => {
  const search = new MiniSearch<SearchEntry>(SEARCH_OPTIONS);
  search.addAll(entries);
  const best = (words: string) => search.search(words)[0]?.id;

  test.each([
    ['idempotency key', '/docs/idempotency#key'],
    ['test cards', '/docs/testing#cards'],
    ['verify payment', '/docs/api#verifyPayment'],
    ['rotate secret', '/docs/webhooks#secret'],
    ['retrys', '/docs/idempotency#retry'],
  ])('finds %s', (words, id) => {
    expect(best(words)).toBe(id);
  });

  test('finds every page, operation and object under an address of its own', () => {
    const ids = entries.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { operationId } of api.operations) expect(ids).toContain(`/docs/api#${operationId}`);
    for (const { text, begins } of entries) expect(begins.length === 0 ? text : begins).toBe(begins);
  });
});

/** The text and the code of a page as they are written. */
function writtenIn(node: ReactNode): string {
  if (typeof node === 'string') return node;
  if (Array.isArray(node)) return node.map(writtenIn).join(' ');
  if (!isValidElement<{ children?: ReactNode; code?: string }>(node)) return '';
  return `${node.props.code ?? ''} ${Children.toArray(node.props.children).map(writtenIn).join(' ')}`;
}

const codeSchema = z.object({ code: z.string() });

/** The cells of each row of the tables of a page's part, without their heads. */
function rowsIn(node: ReactNode): ReactNode[][] {
  if (Array.isArray(node)) return node.flatMap(rowsIn);
  if (!isValidElement<{ children?: ReactNode }>(node)) return [];
  const children = Children.toArray(node.props.children);
  const cells = children.filter((child) => isValidElement(child) && child.type === 'td');
  return cells.length > 0 ? [cells] : children.flatMap(rowsIn);
}

describe('the addresses in commands', () => {
  afterEach(() => vi.unstubAllEnvs());

  test.each([
    ['http://127.0.0.1:4711', 'http://127.0.0.1:4711/control'],
    ['', '$SANDBOX_URL/control'],
  ])('are of the sandbox that runs, %j', (running, shown) => {
    vi.stubEnv('SWITCHYARD_SANDBOX_URL', running);
    expect(installationText('https://sandbox.example/control', 'https://pay.example')).toBe(shown);
  });

  test('are of this installation; nothing names a port of its own', () => {
    expect(installationText('https://switchyard.example/v1', 'https://pay.example')).toBe('https://pay.example/v1');
    const written = TOPICS.flatMap(({ lead, sections }) => [lead, ...sections.map(({ body }) => body)])
      .map(writtenIn)
      .join(' ');
    expect(written).toContain('https://sandbox.example/control/paystack/fault');
    expect(written).not.toMatch(/localhost:4010|127\.0\.0\.1:4010/);
  });
});

describe('the pages', () => {
  const parts = TOPICS.flatMap(({ slug, lead, sections }) => [
    { page: slug, body: lead },
    ...sections.map(({ body }) => ({ page: slug, body })),
  ]);
  const anchors = new Set([
    '/docs',
    '/docs/api',
    ...entries.map(({ id }) => id),
    ...api.events.map(({ type }) => `/docs/webhooks#${type}`),
    ...parts.flatMap(({ page, body }) => hrefsOf(body).ids.map((id) => `/docs/${page}#${id}`)),
  ]);

  test.each(TOPICS.map(({ slug }) => slug))('every link of %s leads to a part that exists', (slug) => {
    const hrefs = parts.filter(({ page }) => page === slug).flatMap(({ body }) => hrefsOf(body).hrefs);
    const inner = hrefs.flatMap((href) =>
      href.startsWith('#') ? [`/docs/${slug}${href}`] : href.startsWith('/docs') ? [href] : [],
    );
    expect(inner.filter((href) => !anchors.has(href))).toEqual([]);
  });

  test('no example to copy puts the rules aside', () => {
    expect(parts.filter(({ body }) => /requestedGateway"/.test(textOf(body)))).toEqual([]);
  });

  const sectionsOf = (page: string) => TOPICS.find(({ slug }) => slug === page)?.sections ?? [];

  test('every error of the API has a part and a line in the overview', () => {
    const sections = sectionsOf('errors');
    const overview = hrefsOf(sections.find(({ id }) => id === 'overview')?.body).hrefs;
    const parts = hrefsOf(sections.find(({ id }) => id === 'each')?.body).ids;
    expect(overview).toEqual(parts.map((name) => `#${name}`));
    expect(parts.toSorted()).toEqual(Object.keys(failures).toSorted());
  });

  test('every code has a line, in the overview beside the error that has it', () => {
    const rows = (id: string) => rowsIn(sectionsOf('errors').find((section) => section.id === id)?.body);
    const written = rows('overview').map(([, code, error]) => [hrefsOf(error).hrefs[0], textOf(code).trim()]);
    const { answers } = recordedExamples('https://pay.example');
    const recorded = answers.flatMap(({ failure, body }) =>
      failure === null ? [] : [[`#${failure}`, codeSchema.parse(body).code]],
    );
    expect(new Set(written.map(String))).toEqual(new Set(recorded.map(String)));
    expect(written.map(([, code]) => code).toSorted()).toEqual([...FAILURE_CODES].toSorted());
    expect(rows('fields').map(([code]) => textOf(code).trim())).toEqual([...FIELD_ERROR_CODES]);
  });

  test('every event has a part', () => {
    const { ids } = hrefsOf(sectionsOf('webhooks').find(({ id }) => id === 'events')?.body);
    expect(ids.toSorted()).toEqual(api.events.map(({ type }) => type).toSorted());
  });
});
