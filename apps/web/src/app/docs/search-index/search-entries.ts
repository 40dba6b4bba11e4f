import { Children, type ComponentProps, isValidElement, type ReactNode } from 'react';
import { Dialect, Faults, TestCards } from '../_components/prose.tsx';
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

/** An element, or what is drawn in its place where its text comes from data and not from the page. */
export function drawn(node: ReactNode): ReactNode {
  if (!isValidElement(node)) return node;
  switch (node.type) {
    case TestCards:
      return TestCards();
    case Faults:
      return Faults();
    case Dialect:
      return Dialect(node.props as ComponentProps<typeof Dialect>);
    default:
      return node;
  }
}

/** The text between the tags; components are read by what is written in them, and tables by their cells. */
export function textOf(given: ReactNode): string {
  const node = drawn(given);
  if (typeof node === 'string' || typeof node === 'number') return String(node);
  if (Array.isArray(node)) return node.map(textOf).join(' ');
  if (!isValidElement<{ children?: ReactNode; text?: string; head?: readonly string[]; rows?: readonly ReactNode[] }>(node))
    return '';
  const { children, text = '', head = [], rows = [] } = node.props;
  return [text, ...head, ...rows.map(textOf), ...Children.toArray(children).map(textOf)].join(' ');
}
