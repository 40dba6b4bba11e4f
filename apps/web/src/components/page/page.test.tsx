// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { button, factsIn, hrefOf, openDashboard, textOf } from '#/testing/dashboard.tsx';
import { OutcomeGlyph } from '../badge/badge.tsx';
import { ChooseMerchant } from '../choose-merchant/choose-merchant.tsx';
import { Description, DescriptionList } from '../description-list/description-list.tsx';
import { ReasonList } from '../description-list/reason-list.tsx';
import { FilterBar } from '../filter-bar/filter-bar.tsx';
import { numberCell, PlainTable } from '../plain-table/plain-table.tsx';
import { zoneOptions } from '../select/select.tsx';
import { SessionList } from '../session-list/session-list.tsx';
import { Freshness } from '../time/freshness.tsx';
import { Moment } from '../time/moment.tsx';
import { NothingHere } from './nothing-here.tsx';
import { PageFailed } from './page-failed.tsx';
import { BackLink } from './page-head.tsx';
import { Refusal } from './refusal.tsx';

const page = openDashboard('?mode=live&do=draft&merchant=m-9', '/routing');
const AT = new Date('2024-11-21T13:02:11.123Z');

describe('a page that is not there', () => {
  test('leads to the overview', () => {
    page.show(<NothingHere />);
    screen.getByRole('heading', { level: 1, name: 'Page not found' });
    expect(hrefOf('Go to overview')).toBe('/overview');
  });

  test.each([
    ['E-7', /contact your administrator with the code E-7\./],
    [undefined, /contact your administrator\./],
  ])('because it failed says that payments go on; its code is %s', async (code, words) => {
    const onRetry = vi.fn();
    const user = page.show(<PageFailed code={code} onRetry={onRetry} />);
    expect(textOf(screen.getByRole('paragraph'))).toMatch(words);
    expect(textOf(screen.getByRole('paragraph'))).toContain('Payments are not affected.');
    await user.click(button('Try again'));
    expect(onRetry).toHaveBeenCalledOnce();
  });
});

test('a refusal is there before it has anything to say, so that it is announced', () => {
  page.show(
    <>
      <Refusal message={null} />
      <Refusal message="It is taken." />
      <BackLink href="/payments">Payments</BackLink>
    </>,
  );
  expect(screen.getAllByRole('alert').map(textOf)).toEqual(['', 'It is taken.']);
  expect(hrefOf('Payments')).toBe('/payments');
});

test('facts without a value are left out; zero is one', () => {
  page.show(
    <DescriptionList>
      <Description name="None">{null}</Description>
      <Description name="Empty">{''}</Description>
      <Description name="Undefined">{undefined}</Description>
      <Description name="Zero">{0}</Description>
    </DescriptionList>,
  );
  expect(factsIn(document.body)).toEqual({ Zero: '0' });
});

test('reasons and outcomes are told by words, not by colour alone', () => {
  page.show(
    <>
      <ReasonList
        reasons={[
          { title: 'Rule', message: 'It matched.', severity: 'info' },
          { title: 'Health', message: 'It is down.', severity: 'critical' },
        ]}
      />
      <OutcomeGlyph outcome="holds" />
      <OutcomeGlyph outcome="attention" />
      <OutcomeGlyph outcome="fails" />
    </>,
  );
  expect(screen.getAllByRole('img').map((img) => img.getAttribute('aria-label'))).toEqual([
    'info',
    'critical',
    'Holds',
    'Holds, with a warning',
    'Fails',
  ]);
  expect(screen.getAllByRole('listitem').map(textOf)).toEqual(['Rule. It matched.', 'Health. It is down.']);
});

test('filters are taken back only while there are any', () => {
  const nothing = () => undefined;
  page.show(<FilterBar onClear={null}>Filters</FilterBar>);
  expect(screen.queryByRole('button', { name: 'Clear' })).toBeNull();
  page.show(<FilterBar onClear={nothing}>Filters</FilterBar>);
  button('Clear');
});

test('a table of numbers says how it is sorted, and names its cells where it is drawn as cards', async () => {
  const onClick = vi.fn();
  const user = page.show(
    <PlainTable
      label="Numbers"
      columns={[{ title: 'Name' }, { title: 'Paid', number: true, sort: { direction: 'desc', onClick } }]}
    >
      <tbody>
        <tr>
          <td>Kora</td>
          <td {...numberCell('Paid')}>7</td>
        </tr>
      </tbody>
    </PlainTable>,
  );
  expect(screen.getAllByRole('columnheader').map((header) => header.getAttribute('aria-sort'))).toEqual([null, 'descending']);
  expect(screen.getByText('7').dataset.name).toBe('Paid');
  await user.click(button('Paid'));
  expect(onClick).toHaveBeenCalledOnce();
  expect(screen.getByRole('region', { name: 'Numbers' }).tabIndex).toBe(0);
});

describe('time', () => {
  test('is relative, exact on hover, and for programs', () => {
    page.show(<Moment value={AT} />);
    const time = screen.getByText('21 Nov 2024, 14:02');
    expect(time.getAttribute('datetime')).toBe(AT.toISOString());
    expect(time.title).toMatch(/Thu, 21 Nov 2024(,| at) 14:02:11\.123/);
  });

  test.each([
    [0, 'Loading', 'false'],
    [AT.getTime(), 'Updated just now', 'false'],
    [AT.getTime() - 120_000, 'Updated 2 min ago', 'true'],
  ])('says how old the data is, from a minute on as a warning', async (updatedAt, words, isOld) => {
    vi.useFakeTimers({ toFake: ['Date'], now: AT });
    onTestFinished(() => void vi.useRealTimers());
    const onRefresh = vi.fn();
    const user = page.show(<Freshness updatedAt={updatedAt} fetching={false} onRefresh={onRefresh} />);
    const age = screen.getByText(/^(Updated|Loading)/);
    expect([age.textContent, age.parentElement?.dataset.old]).toEqual([words, isOld]);
    await user.click(button('Refresh'));
    expect(onRefresh).toHaveBeenCalledOnce();
  });

  test('zones begin with those of merchants, each once', () => {
    const zones = zoneOptions();
    expect(zones[0]).toEqual({ value: 'UTC', label: 'UTC' });
    expect(zones[1]?.value).toMatch(/^Africa\//);
    expect(new Set(zones.map(({ value }) => value)).size).toBe(zones.length);
    expect(zones.find(({ value }) => value === 'America/New_York')?.label).toBe('America/New York');
  });
});

describe('sessions', () => {
  const session = (change: object) => ({
    id: 's-1',
    ipAddress: '2001:0db8:0000:0000:0000:0000:0000:0001',
    userAgent: 'Mozilla/5.0 (Windows NT 10.0) Firefox/128.0',
    createdAt: AT,
    updatedAt: AT,
    ...change,
  });

  test('say which browser, from where and since when; the present one is not ended', async () => {
    const onEnd = vi.fn();
    const user = page.show(
      <SessionList
        busy={false}
        onEnd={onEnd}
        sessions={[session({ current: true }), session({ id: 's-2', userAgent: null, ipAddress: '' })]}
      />,
    );
    expect(screen.getAllByRole('listitem').map(textOf)).toEqual([
      'Firefox on WindowsThis browserFrom 2001:db8::1 · seen 21 Nov 2024, 14:02 · signed in 21 Nov 2024, 14:02',
      'Unknown browserAddress unknown · seen 21 Nov 2024, 14:02 · signed in 21 Nov 2024, 14:02Sign out',
    ]);
    await user.click(button('Sign out Unknown browser'));
    expect(onEnd.mock.calls).toEqual([['s-2']]);
  });

  test('that are none, and that are on their way, say so', () => {
    const nothing = () => undefined;
    page.show(<SessionList sessions={[]} busy={false} onEnd={nothing} />);
    screen.getByText('No active sessions.');
    page.show(<SessionList sessions={undefined} busy={false} onEnd={nothing} />);
    screen.getByRole('status', { name: 'Loading sessions' });
  });
});

describe('choosing a merchant', () => {
  const MERCHANT = {
    merchantId: 'm-1',
    name: 'Balogun Books',
    merchantNumber: 'M-1001',
    ruleSetVersion: 3,
    accounts: 2,
    keys: 1_234,
  };
  beforeEach(() => {
    page.on('merchants.overview', () => ({
      merchants: [MERCHANT, { ...MERCHANT, merchantId: 'm-2', name: 'Shop', ruleSetVersion: null }],
      total: 1_500,
    }));
    page.on('merchants.figures', () => [
      { merchantId: 'm-1', health: { down: 1, degraded: 2, all: 4 }, openDiscrepancies: 7 },
      { merchantId: 'm-2', health: { down: 0, degraded: 0, all: 0 }, openDiscrepancies: null },
    ]);
  });
  const show = (figure: 'rules' | 'keys' | 'health' | 'discrepancies' | null = null) =>
    page.show(<ChooseMerchant path="/routing" why="Rules are a merchant's own." figure={figure} />);
  const rows = async () =>
    within(await screen.findByRole('list', { name: 'All merchants' }))
      .getAllByRole('link')
      .map(textOf);

  test('leads to the same page of each, with what else the address says', async () => {
    show();
    expect(await rows()).toEqual(['Balogun Books M-1001', 'Shop M-1001']);
    expect(hrefOf(/^Balogun Books/)).toBe('/routing?mode=live&merchant=m-1&do=draft');
    screen.getByText('2 of 1,500 merchants: search for the others.');
    expect(page.calls('merchants.figures')).toEqual([]);
  });

  test.each([
    ['rules', ['Version 3', 'No rules']],
    ['keys', ['1,234 keys', '1,234 keys']],
    ['health', ['1 down', '']],
    ['discrepancies', ['7 open', '']],
  ] as const)('shows the one figure that the page is about: %s', async (figure, words) => {
    show(figure);
    await waitFor(async () => expect((await rows()).map((row) => row.split('M-1001')[1])).toEqual(words));
  });

  test('of many is searched by name or number', async () => {
    const user = show();
    await user.type(await screen.findByRole('searchbox', { name: 'Search by name or number' }), 'shop{Enter}');
    await waitFor(() => expect(page.calls('merchants.overview').at(-1)).toEqual({ mode: 'live', search: 'shop' }));
  });

  test('of none, and of those that could not be read, says so', async () => {
    page.on('merchants.overview', () => ({ merchants: [], total: 0 }));
    show();
    await screen.findByText('There is no merchant yet.');
  });

  test('that failed says why', async () => {
    page.on('merchants.overview', () => {
      throw new Error('The database is unavailable.');
    });
    show();
    await screen.findByText('The database is unavailable.');
  });
});
