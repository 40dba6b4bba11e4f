// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import MiniSearch from 'minisearch';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { hrefOf, openDashboard, textOf } from '#/testing/dashboard.tsx';
import { CodeBlock, WithCode } from '../_components/code/code-block.tsx';
import { LanguageProvider, LanguageTabs } from '../_components/code/language-choice.tsx';
import { DocsNav } from '../_components/docs-nav.tsx';
import SearchDialog from '../_components/search/search-dialog.tsx';
import { SEARCH_OPTIONS } from '../_components/search/search-options.ts';
import type { Schema } from './api-document.ts';
import { FieldList } from './reference.tsx';

const page = openDashboard('', '/docs/webhooks');

describe('a field of the reference', () => {
  const show = (properties: Record<string, Schema>, required: readonly string[] = []) => {
    page.show(<FieldList label="Body" schema={{ type: 'object', properties, required }} notes={{ id: 'in the path' }} />);
    return within(screen.getByRole('list', { name: 'Body' }))
      .getAllByRole('listitem')
      .map(textOf);
  };

  test.each<[string, Schema, string]>([
    ['its type and whether it may be null', { type: ['string', 'null'], format: 'date-time' }, 'astring, date-time or null'],
    ['the values it may have', { type: 'string', enum: ['card', 'bank'] }, 'astring One of card, bank.'],
    ['null beside its type alone', { type: ['string', 'null'], enum: ['card', null] }, 'astring or null One of card.'],
    ['its limits, grouped', { type: 'integer', minimum: 1, maximum: 1_000_000 }, 'ainteger From 1 to 1,000,000.'],
    ['a least', { type: 'integer', minimum: 0 }, 'ainteger At least 0.'],
    ['a greatest', { type: 'integer', maximum: 60 }, 'ainteger At most 60.'],
    ['how long it may be', { type: 'string', minLength: 1, maxLength: 200 }, 'astring 1 to 200 characters.'],
    ['how long it may be at most', { type: 'string', maxLength: 2_000 }, 'astring At most 2,000 characters.'],
    ['what a list holds', { type: 'array', items: { type: 'string' } }, 'alist of string'],
    ['nothing, where anything goes', {}, 'aany'],
    ['what it means, with code in it', { type: 'string', description: 'As `id`.' }, 'astringAs id.'],
    ['no values of a switch', { type: 'boolean', enum: [true] }, 'aboolean'],
  ])('says %s', (_what, schema, words) => {
    expect(show({ a: schema })[0]?.trim()).toBe(words);
  });

  test('says whether it must be there, and where it belongs', () => {
    expect(show({ id: { type: 'string' }, note: { type: 'string' } }, ['id'])).toEqual([
      'idstring, in the pathrequired',
      'notestring',
    ]);
  });

  test('leads to the object that it is', () => {
    show({ a: { type: 'array', items: { $ref: '#/components/schemas/Refund' } } });
    expect(hrefOf('Refund')).toBe('#object-Refund');
  });

  test('lists the fields within it by their whole path, with the rights of their own object', () => {
    const inner: Schema = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] };
    show({ customer: inner, items: { type: 'array', items: inner } });
    expect(screen.getAllByText(/^(customer|items)/, { selector: 'code' }).map(textOf)).toEqual([
      'customer',
      'customer.id',
      'items',
      'items[].id',
    ]);
    expect(screen.getAllByText('required')).toHaveLength(2);
    expect(screen.queryByText(/in the path/)).toBeNull();
  });
});

test('backticks of a description are code, and the rest is text', () => {
  page.show(
    <p>
      <WithCode text="Send `amount` in <b>whole</b> units." />
    </p>,
  );
  expect(screen.getByText('amount').tagName).toBe('CODE');
  expect(textOf(screen.getByRole('paragraph'))).toBe('Send amount in <b>whole</b> units.');
});

describe('code', () => {
  test('is shown and copied as it is, and its markup is never run', async () => {
    const code = `curl "https://x.example?a=1&b=<script>alert(1)</script>"`;
    const user = page.show(<CodeBlock code={code} language="curl" title="GET /v1" label="Call" />);
    expect(screen.getByRole('region', { name: 'Call' }).textContent).toBe(code);
    expect(document.querySelector('script')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Copy Call' }));
    await screen.findByText('Copied');
  });

  test('is shown in one language on the whole page, which the browser keeps', async () => {
    const panel = (language: 'curl' | 'php' | 'go') => ({ language, code: `${language} code`, drawn: <p>{language} code</p> });
    const user = page.show(
      <LanguageProvider remembered="perl">
        <LanguageTabs label="Initiate" panels={[panel('curl'), panel('php')]} />
        <LanguageTabs label="Verify" panels={[panel('curl'), panel('php'), panel('go')]} />
        <LanguageTabs label="Receive" panels={[panel('go')]} />
        <LanguageTabs label="None" panels={[]} />
      </LanguageProvider>,
    );
    const shown = () => screen.getAllByText(/ code$/).map(textOf);
    expect(shown()).toEqual(['curl code', 'curl code', 'go code']);
    const verify = within(screen.getByRole('tablist', { name: 'Language of: Verify' }));
    await user.click(verify.getByRole('tab', { name: 'PHP' }));
    expect(shown()).toEqual(['php code', 'php code', 'go code']);
    await user.click(verify.getByRole('tab', { name: 'Go' }));
    expect(shown()).toEqual(['curl code', 'go code', 'go code']);
    expect(document.cookie).toContain('=go');
    expect(screen.queryByRole('tablist', { name: 'Language of: None' })).toBeNull();
  });
});

test('the navigation marks the page that is open, and shows its parts alone', () => {
  page.show(
    <DocsNav
      groups={[
        {
          title: 'Guides',
          links: [
            { href: '/docs/webhooks', label: 'Webhooks', inner: [{ href: '#verify', label: 'Verify' }] },
            { href: '/docs/errors', label: 'Errors', inner: [{ href: '#each', label: 'Each error' }] },
          ],
        },
      ]}
    />,
  );
  const nav = within(screen.getByRole('navigation', { name: 'Documentation' }));
  expect(nav.getAllByRole('link').map(textOf)).toEqual(['Webhooks', 'Verify', 'Errors']);
  expect(nav.getAllByRole('link', { current: 'page' }).map(textOf)).toEqual(['Webhooks']);
  expect(document.querySelector('summary')?.textContent).toBe('Webhooks');
});

describe('the search', () => {
  const index = new MiniSearch(SEARCH_OPTIONS);
  const entry = (id: string, title: string, text: string) => ({ id, title, page: 'Guide', text, begins: text.slice(0, 12) });
  index.addAll([
    entry('/docs/webhooks#verify', 'Verify a webhook', 'Compare the signature of the body.'),
    entry('/docs/errors#each', 'Errors', 'A webhook endpoint that fails.'),
    entry('/docs/api#refundPayment', 'Refund a payment', 'Money goes back.'),
  ]);
  const close = vi.fn();
  const search = () => screen.getByRole('combobox', { name: 'Search the documentation' });
  const found = () => screen.queryAllByRole('option').map((option) => option.firstElementChild?.textContent);

  test('says why it found nothing, and that it could not be loaded', async () => {
    vi.stubGlobal('fetch', async () => new Response('', { status: 503 }));
    onTestFinished(() => void vi.unstubAllGlobals());
    page.show(<SearchDialog onClose={close} />);
    await screen.findByText('The search could not be loaded. Reload the page to try again.');
  });

  test('finds titles before text, beginnings of words and one mistake; Enter goes there', async () => {
    vi.stubGlobal('fetch', async () => new Response(JSON.stringify(index)));
    onTestFinished(() => void vi.unstubAllGlobals());
    const user = page.show(<SearchDialog onClose={close} />);
    await screen.findByText('Searches every page and every operation of the API.');
    await user.type(search(), 'webho');
    expect(found()).toEqual(['Verify a webhook', 'Errors']);
    await user.keyboard('{ArrowDown}');
    expect(screen.getByRole('option', { selected: true }).firstElementChild?.textContent).toBe('Errors');
    await user.clear(search());
    await user.type(search(), 'refnd');
    expect(found()).toEqual(['Refund a payment']);
    await user.type(search(), ' signature');
    await waitFor(() => expect(screen.getByRole('status').textContent).toBe('Nothing was found for “refnd signature”.'));
    await user.clear(search());
    await user.type(search(), 'signature{Enter}');
    expect(page.navigations()).toEqual(['/docs/webhooks#verify']);
    expect(close).toHaveBeenCalledOnce();
  });
});
