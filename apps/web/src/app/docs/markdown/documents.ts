import type { Topic } from '../_content/topic.ts';
import { TOPIC_GROUPS, TOPICS } from '../_content/topics.ts';
import ReferencePage from '../api/page.tsx';
import { docsData } from '../docs-data.ts';
import { markdownOf } from './markdown-of.ts';

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
