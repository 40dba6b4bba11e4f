import { recordedExamples } from '@switchyard/api/rest';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { processSwitchyard } from '#/server/native/process.ts';
import { Note } from '../_components/prose.tsx';
import { TOPICS } from '../_content/topics.ts';
import { textOf } from '../search-index/search-entries.ts';
import { markdownOf, writeDocument, writeIndex } from './documents.ts';

// Pages name the address of their installation; nothing is asked of its database.
vi.stubEnv('SWITCHYARD_PUBLIC_URL', 'https://pay.example');
vi.stubEnv('DATABASE_URL', 'postgres://127.0.0.1:1/none');
vi.stubEnv('SWITCHYARD_ENCRYPTION_KEYS', `k1:${Buffer.alloc(32, 1).toString('base64')}`);
vi.stubEnv('SWITCHYARD_KEY_PEPPER', Buffer.alloc(32, 2).toString('base64'));
afterAll(() => processSwitchyard().close());

const links = { base: 'https://pay.example' };

/** Words of three letters and more, in any order. */
const wordsOf = (text: string) => new Set(text.match(/[\p{L}\d]{3,}/gu));

describe('a page as Markdown', () => {
  test.each(TOPICS.map(({ slug }) => slug))('has every word of %s, and is no HTML', (slug) => {
    const written = writeDocument(slug) ?? '';
    const topic = TOPICS.find((each) => each.slug === slug);
    const page = [topic?.title, topic?.lead, ...(topic?.sections ?? []).flatMap(({ title, body }) => [title, textOf(body)])];
    const words = wordsOf(written);
    expect([...wordsOf(page.join(' '))].filter((word) => !words.has(word))).toEqual([]);
    expect(written).not.toMatch(/<\/\w+>|\[object|undefined/);
    expect(written).toMatch(/^# \S/);
  });

  test('has the tables, notes, calls, answers and samples of a page', () => {
    const quickstart = writeDocument('quickstart') ?? '';
    expect(quickstart).toContain('```sh\nexport SWITCHYARD_API_KEY=sk_test_…\n```');
    expect(quickstart).toContain('curl https://pay.example/v1/payments/initiate');
    expect(quickstart).toContain('```python\n');
    const { body } = recordedExamples('https://pay.example').answers.find(({ name }) => name === 'initiated') ?? {};
    expect(quickstart).toContain(`\`\`\`json\n${JSON.stringify(body, null, 2)}\n\`\`\``);
    expect(quickstart).toContain('> A key belongs on a server.');
    expect(quickstart).toContain('1. [Receive webhooks](https://pay.example/docs/webhooks.md): a customer who closes');
    expect(writeDocument('errors')).toContain('| 400 | `bad_request` | [Bad request](#badRequest) | no |\n');
    expect(writeDocument('testing')).toMatch(
      /\| Number \| What happens \| CVV \| PIN, OTP \|\n\|---\|---\|---\|---\|\n\| `\d{4} /,
    );
  });

  test('of the reference has every call with its fields, and every object', () => {
    const reference = writeDocument('api') ?? '';
    expect(reference).toContain('## Initiate a payment\n\nPOST `/v1/payments/initiate`');
    expect(reference).toMatch(/^- `merchantOrderId` string/m);
    expect(reference).toMatch(/^ {2}- `customer\.email` string, email ?required/m);
    expect(reference).toContain('### Failure');
    expect(reference).not.toMatch(/<\/\w+>|\[object|undefined/);
  });

  test.each(['', 'nothing', '../payments'])('there is none of %j', (slug) => {
    expect(writeDocument(slug)).toBeNull();
  });

  test('keeps nested lists, marks and cells with a bar', () => {
    const page = (
      <>
        <p>
          A <strong>key</strong>, <em>kept</em>
          {'\n'}secret
        </p>
        <ul>
          <li>
            one
            <ul>
              <li>inner</li>
            </ul>
          </li>
          <li>two</li>
        </ul>
        <Note>
          <p>first</p>
          <p>second</p>
        </Note>
        <table>
          <tbody>
            <tr>
              <th>a|b</th>
            </tr>
            <tr>
              <td>c</td>
            </tr>
          </tbody>
        </table>
      </>
    );
    expect(markdownOf(page, links)).toBe(
      'A **key**, _kept_ secret\n\n- one\n  - inner\n- two\n\n> first\n> \n> second\n\n| a\\|b |\n|---|\n| c |',
    );
  });
});

test('the index names every page once', () => {
  const index = writeIndex();
  for (const { slug, label } of TOPICS) expect(index.split(`[${label}](https://pay.example/docs/${slug}.md)`)).toHaveLength(2);
  expect(index).toMatch(/^# Switchyard\n\n> \S/);
});
