import { Children, isValidElement, type ReactNode } from 'react';
import type { SearchEntry } from '../_components/search/search-options.ts';
import { TOPICS } from '../_content/topics.ts';
import type { ApiDocument } from '../_reference/api-document.ts';

const BEGINNING_MAX = 140;

/** Everything that can be found: each section of each page, each operation, each object and its fields. */
export function searchEntries({ operations, schemas }: ApiDocument): SearchEntry[] {
  const sections = TOPICS.flatMap(({ slug, label, title, lead, sections }) => [
    entry(`/docs/${slug}`, title, label, textOf(lead)),
    ...sections.map((section) => entry(`/docs/${slug}#${section.id}`, section.title, label, textOf(section.body))),
  ]);
  const reference = 'API reference';
  const calls = operations.map(({ operationId, summary, method, path, description, parameters }) => {
    const text = [`${method.toUpperCase()} ${path}`, description, ...parameters.map(({ name }) => name)].join(' ');
    return entry(`/docs/api#${operationId}`, summary, reference, text);
  });
  const objects = Object.entries(schemas).map(([name, { description, properties }]) => {
    const fields = Object.entries(properties ?? {}).map(([field, schema]) => `${field} ${schema.description ?? ''}`);
    return entry(`/docs/api#object-${name}`, name, reference, [description, ...fields].join(' '));
  });
  return [...sections, ...calls, ...objects];
}

function entry(id: string, title: string, page: string, text: string): SearchEntry {
  const plain = text.replaceAll(/\s+/g, ' ').trim();
  const begins = plain.length <= BEGINNING_MAX ? plain : `${plain.slice(0, BEGINNING_MAX).replace(/\s\S*$/, '')}…`;
  return { id, title, page, text: plain, begins };
}

/** The text between the tags; components are read by what is written in them, and tables by their cells. */
export function textOf(node: ReactNode): string {
  if (typeof node === 'string' || typeof node === 'number') return String(node);
  if (Array.isArray(node)) return node.map(textOf).join(' ');
  if (!isValidElement<{ children?: ReactNode; text?: string; head?: readonly string[]; rows?: readonly ReactNode[] }>(node))
    return '';
  const { children, text = '', head = [], rows = [] } = node.props;
  return [text, ...head, ...rows.map(textOf), ...Children.toArray(children).map(textOf)].join(' ');
}
