import { Children, Fragment, isValidElement, type ReactElement, type ReactNode } from 'react';
import { CodeBlock, SampleView, sampleCode } from '../_components/code/code-block.tsx';
import { HeadCell, Note, PlainTable, Steps, Table } from '../_components/prose.tsx';
import { LANGUAGE_NAMES } from '../_content/samples/languages.ts';
import { TOPIC_GROUPS, TOPICS, type Topic } from '../_content/topics.ts';
import { docsData } from '../_reference/api-document.ts';
import ReferencePage from '../api/page.tsx';

const LEAD =
  'An open payment switch: one call starts a payment; the payment gateway is chosen by rules, live health and fallbacks, and why is recorded.';

/** Every page of the documentation with what it is about: for programs that read, in the form of llmstxt.org. */
export function writeIndex(): string {
  const { base } = docsData();
  const groups = TOPIC_GROUPS.map(({ title, topics }) => [
    `## ${title}`,
    topics.map(({ slug, label, lead }) => `- [${label}](${base}/docs/${slug}.md): ${lead}`).join('\n'),
  ]);
  return `${[
    '# Switchyard',
    `> ${LEAD}`,
    `The REST API of this installation is at ${base}/v1. Requests carry \`Authorization: Bearer sk_test_…\`; bodies are JSON, amounts whole naira, times ISO 8601 in UTC.`,
    ...groups.flat(),
    '## Reference',
    [
      `- [API reference](${base}/docs/api.md): every endpoint, field, event and object, with recorded answers`,
      `- [OpenAPI 3.1](${base}/v1/openapi.json): the same for programs; Postman, Bruno and Insomnia import it`,
      `- [Schema of rule-set files](${base}/schemas/rule-set-1.json): JSON Schema of routing rules as files`,
    ].join('\n'),
  ].join('\n\n')}\n`;
}

/** A page of the documentation as Markdown: a topic by its slug, or `api`. Null where there is none. */
export function writeDocument(slug: string): string | null {
  const links = { base: docsData().base };
  if (slug === 'api') return `${markdownOf(ReferencePage(), links)}\n`;
  const topic = TOPICS.find((each) => each.slug === slug);
  return topic === undefined ? null : `${writeTopic(topic, links)}\n`;
}

function writeTopic({ title, lead, sections }: Topic, links: { readonly base: string }): string {
  return [
    `# ${title}`,
    lead,
    ...sections.flatMap((section) => [`## ${section.title}`, markdownOf(section.body, links)]),
    `All pages: ${links.base}/llms.txt`,
  ].join('\n\n');
}

/** Where links lead to. */
interface LinkBase {
  /** Public address of this installation. */
  readonly base: string;
}

type Props = Readonly<Record<string, unknown>> & { readonly children?: ReactNode };

/** Parts of pages that are written as an element of HTML. */
const TAGS = new Map<unknown, string>([
  [PlainTable, 'table'],
  [HeadCell, 'th'],
  [Steps, 'ol'],
  [Table, 'div'],
]);
const INLINE = new Set(['a', 'b', 'br', 'code', 'em', 'i', 'small', 'span', 'strong', 'sup']);

/** A drawn page, or a part of one, as Markdown (GitHub's). Parts that only a browser can draw are left out. */
export function markdownOf(node: ReactNode, links: LinkBase): string {
  return blocksOf(node, links).join('\n\n');
}

/** The tag and the properties of what is drawn in an element's place. */
function drawn(element: ReactElement<Props>): { readonly tag: string; readonly props: Props } | { readonly other: ReactNode } {
  const { type, props } = element;
  const tag = typeof type === 'string' ? type : TAGS.get(type);
  if (tag !== undefined) return { tag, props };
  // Links are drawn by the browser.
  if (typeof props.href === 'string') return { tag: 'a', props };
  if (type === Fragment) return { other: props.children };
  if (typeof type !== 'function' || isOfBrowser(type)) return { other: null };
  return { other: Reflect.apply(type, undefined, [props]) };
}

/** True if a component is a reference to one that only browsers have. */
function isOfBrowser(type: object): boolean {
  return '$$typeof' in type;
}

function blocksOf(node: ReactNode, links: LinkBase): string[] {
  const blocks: string[] = [];
  let line = '';
  const endLine = () => {
    if (line.trim() !== '') blocks.push(tidy(line));
    line = '';
  };
  for (const child of Children.toArray(node)) {
    const inline = inlineOf(child, links);
    if (inline !== null) {
      line += inline;
      continue;
    }
    endLine();
    blocks.push(...blocksOfElement(child, links));
  }
  endLine();
  return blocks;
}

/** Text in a line; null for what begins a block of its own. */
function inlineOf(node: ReactNode, links: LinkBase): string | null {
  if (typeof node === 'string' || typeof node === 'number') return String(node);
  if (!isValidElement<Props>(node)) return '';
  if (node.type === Note || node.type === CodeBlock || node.type === SampleView) return null;
  const found = drawn(node);
  if ('other' in found) {
    const parts = Children.toArray(found.other).map((child) => inlineOf(child, links));
    return parts.includes(null) ? null : parts.join('');
  }
  const { tag, props } = found;
  if (!INLINE.has(tag)) return null;
  const parts = Children.toArray(props.children).map((child) => inlineOf(child, links));
  const text = parts.join('');
  switch (tag) {
    case 'code':
      return `\`${text}\``;
    case 'strong':
    case 'b':
      return `**${text}**`;
    case 'em':
    case 'i':
      return `_${text}_`;
    case 'a':
      return `[${text}](${addressOf(String(props.href), links)})`;
    case 'br':
      return ' ';
    // Drawn apart from its neighbours.
    case 'span':
      return ` ${text} `;
    default:
      return text;
  }
}

/** An address for readers of Markdown: of this installation, and pages of documentation as Markdown too. */
function addressOf(href: string, { base }: LinkBase): string {
  if (!href.startsWith('/')) return href;
  return `${base}${href.replace(/^\/docs(\/[\w-]+)?(?=#|$)/, '/docs$1.md')}`;
}

function blocksOfElement(node: ReactNode, links: LinkBase): string[] {
  if (!isValidElement<Props>(node)) return [];
  const { type, props } = node;
  if (type === Note) return [quoted(blocksOf(props.children, links).join('\n\n'))];
  if (type === CodeBlock) return codeOf(String(props.code), String(props.language), String(props.title));
  if (type === SampleView) {
    return sampleCode(props.name as Parameters<typeof sampleCode>[0]).flatMap(({ language, code }) =>
      codeOf(code, language, LANGUAGE_NAMES[language]),
    );
  }
  const found = drawn(node);
  if ('other' in found) return blocksOf(found.other, links);
  return blocksOfTag(found.tag, found.props, links);
}

function blocksOfTag(tag: string, { children }: Props, links: LinkBase): string[] {
  switch (tag) {
    case 'h1':
    case 'h2':
    case 'h3':
    case 'h4':
      return [`${'#'.repeat(Number(tag[1]))} ${lineOf(children, links)}`];
    case 'ul':
      return [itemsOf(children, links, () => '- ')];
    case 'ol':
      return [itemsOf(children, links, (at) => `${at + 1}. `)];
    case 'dl':
      return [blocksOf(children, links).join('\n')];
    case 'dt':
      return [`- ${lineOf(children, links)}`];
    case 'dd':
      return [indented(blocksOf(children, links).join('\n'), '  ')];
    case 'table':
      return [tableOf(children, links)];
    default:
      return blocksOf(children, links);
  }
}

function itemsOf(children: ReactNode, links: LinkBase, mark: (at: number) => string): string {
  // A part of a page may be several items.
  const items = Children.toArray(children).flatMap((child) => elementsOf(child, 'li'));
  return items
    .map(
      (item, at) => `${mark(at)}${indented(blocksOf(item.children, links).join('\n'), ' '.repeat(mark(at).length)).trimStart()}`,
    )
    .join('\n');
}

function tableOf(children: ReactNode, links: LinkBase): string {
  const rows = elementsOf(children, 'tr').map((row) =>
    [...elementsOf(row.children, 'th'), ...elementsOf(row.children, 'td')].map(({ children: cell }) =>
      lineOf(cell, links).replaceAll('|', '\\|'),
    ),
  );
  const lines = rows.map((cells) => `| ${cells.join(' | ')} |`);
  return [lines[0], `|${'---|'.repeat(rows[0]?.length ?? 0)}`, ...lines.slice(1)].join('\n');
}

/** The elements of a tag, in what is drawn, but not in one another. */
function elementsOf(node: ReactNode, tag: string): Props[] {
  if (Array.isArray(node)) return node.flatMap((child) => elementsOf(child, tag));
  if (!isValidElement<Props>(node)) return [];
  const found = drawn(node);
  if ('other' in found) return Children.toArray(found.other).flatMap((child) => elementsOf(child, tag));
  if (found.tag === tag) return [found.props];
  return Children.toArray(found.props.children).flatMap((child) => elementsOf(child, tag));
}

/** Everything in one line. */
function lineOf(node: ReactNode, links: LinkBase): string {
  return tidy(blocksOf(node, links).join(' '));
}

function codeOf(code: string, language: string, title: string): string[] {
  return [`${title}:`, `\`\`\`${language === 'curl' ? 'sh' : language}\n${code.trimEnd()}\n\`\`\``];
}

function quoted(text: string): string {
  return text.replaceAll(/^/gm, '> ');
}

function indented(text: string, by: string): string {
  return text.replaceAll(/^(?=.)/gm, by);
}

/** A line without the line breaks and spaces that HTML does not show. */
function tidy(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
