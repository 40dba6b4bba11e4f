import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime';
import { PathnameContext, SearchParamsContext } from 'next/dist/shared/lib/hooks-client-context.shared-runtime';
import type { ReactElement } from 'react';
import { afterEach, beforeEach, expect } from 'vitest';
import { NowProvider } from '../components/time/now.tsx';
import { dismissToast, shownToasts } from '../components/toasts/toast-store.ts';
import type { Permission } from '../trpc/use-can.ts';
import { openPage, type Person } from './page.tsx';
import { openServer, type TestServer } from './server.tsx';

/** A page of the dashboard on which a suite uses components that call the server, as a person does. */
export interface Dashboard {
  /** Shows an element; it is removed after the test. Returns the person who uses it. */
  readonly show: (element: ReactElement) => Person;
  /** Opens another address in this test, before anything is shown on it; a new server answers it. */
  readonly goTo: (search: string) => void;
  /** The present test's server. */
  readonly server: () => TestServer;
  /** Answers a procedure from now on; a thrown error is its failure. */
  readonly on: TestServer['on'];
  /** The inputs that a procedure was called with, in order. */
  readonly calls: TestServer['calls'];
  /** Reads all that is shown again, as a page does that comes back into sight. */
  readonly readAgain: TestServer['readAgain'];
  /** Lets the viewer do these things, for every merchant, and no others. */
  readonly allow: (...permissions: readonly Permission[]) => void;
  /** The query of the page's address as it is now. */
  readonly search: () => string;
  /** Where the page has navigated to. */
  readonly navigations: () => readonly string[];
  /** The messages in the corner. */
  readonly toasts: () => readonly string[];
}

/** Opens the suite's page; `search` is the query of its address, `pathname` its path. Its file begins with `// @vitest-environment happy-dom`. */
export function openDashboard(search: string, pathname = '/'): Dashboard {
  let server: TestServer;
  let navigations: string[] = [];
  const navigate = (href: string) => void navigations.push(href);
  let present = search;
  const nothing = () => undefined;
  const router = {
    push: navigate,
    replace: navigate,
    back: nothing,
    forward: nothing,
    refresh: nothing,
    prefetch: nothing,
    bfcacheId: '0',
  };
  beforeEach(() => {
    present = search;
    server = openServer(search);
    navigations = [];
    for (const { id } of shownToasts()) dismissToast(id);
  });
  afterEach(() => server.close());
  const page = openPage();
  afterEach(storeSecrets);
  return {
    show(element) {
      const { wrapper: Server } = server;
      page.show(
        <AppRouterContext value={router}>
          <PathnameContext value={pathname}>
            <SearchParamsContext value={new URLSearchParams(present)}>
              <Server>
                <NowProvider initial={Date.now()}>{element}</NowProvider>
              </Server>
            </SearchParamsContext>
          </PathnameContext>
        </AppRouterContext>,
      );
      return userEvent.setup({ delay: null });
    },
    goTo(elsewhere) {
      server.close();
      present = elsewhere;
      server = openServer(elsewhere);
    },
    server: () => server,
    on: (procedure, answer) => server.on(procedure, answer),
    calls: (procedure) => server.calls(procedure),
    readAgain: () => server.readAgain(),
    allow: (...permissions) => server.on('me', () => ({ access: [{ merchantId: null, permissions }] })),
    search: () => server.search(),
    navigations: () => navigations,
    toasts: () => shownToasts().map(({ text }) => text),
  };
}

/** Stores the secrets that a test left on the page: they would be shown in the next one, on whatever page it is. */
function storeSecrets(): void {
  const stored = () => screen.queryByRole('button', { name: 'I have stored it' });
  for (let button = stored(); button !== null; button = stored()) fireEvent.click(button);
}

/** Runs the action of the message in the corner: its undo. */
export async function undo(): Promise<void> {
  await act(async () => {
    await shownToasts().at(-1)?.action?.run();
  });
}

/** The field of a label. */
export const field = (name: string | RegExp) => screen.getByRole<HTMLInputElement>('textbox', { name });
/** A button by its label. */
export const button = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>('button', { name });
/** An option of a group of radio buttons. */
export const radio = (name: string | RegExp) => screen.getByRole<HTMLInputElement>('radio', { name });
/** A checkbox by its label. */
export const checkbox = (name: string | RegExp) => screen.getByRole<HTMLInputElement>('checkbox', { name });

/** The address of a link by its label. */
export const hrefOf = (name: string | RegExp) => screen.getByRole('link', { name }).getAttribute('href');

/** Waits for a table by its name, or that of the region it scrolls in, and returns the texts of its rows, the header's first. */
export async function tableOf(name: string | RegExp): Promise<readonly (readonly string[])[]> {
  return waitFor(() => {
    const [table] = [
      ...screen.queryAllByRole('table', { name }),
      ...screen.queryAllByRole('region', { name }).flatMap((region) => within(region).queryAllByRole('table')),
    ];
    if (table === undefined) throw new Error(`There is no table ${name}.`);
    return within(table).getAllByRole('row').map(textsOf);
  });
}

/** Texts of the cells of a row. */
export function textsOf(row: HTMLElement): readonly string[] {
  return Array.from(row.querySelectorAll('th, td'), textOf);
}

/** The text of an element on one line. */
export function textOf(element: Element): string {
  return (element.textContent ?? '').replaceAll(/\s+/g, ' ').trim();
}

/** Facts and their values in a description list, in its order. */
export function factsIn(element: Element): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Array.from(element.querySelectorAll('dt'), (name) => [textOf(name), textOf(name.nextElementSibling ?? name)]),
  );
}

/** Waits until a field shows a problem beside it, marked as wrong. */
export async function expectProblem(
  role: 'textbox' | 'group' | 'combobox',
  name: string | RegExp,
  problem: string,
): Promise<void> {
  await screen.findByRole(role, { name, description: problem });
  if (role !== 'group') expect(screen.getByRole(role, { name }).getAttribute('aria-invalid')).toBe('true');
}

/** Waits until the form as a whole shows why it was refused. */
export async function expectRefusal(sentence: string): Promise<void> {
  await waitFor(() =>
    expect(
      screen.getAllByRole('alert').some((alert) => within(alert).queryByText(sentence) ?? alert.textContent === sentence),
    ).toBeTruthy(),
  );
}

/** Waits until something was called with exactly these inputs. */
export async function expectCalls(dashboard: Dashboard, procedure: string, inputs: readonly unknown[]): Promise<void> {
  await waitFor(() => expect(dashboard.calls(procedure)).toEqual(inputs));
}
