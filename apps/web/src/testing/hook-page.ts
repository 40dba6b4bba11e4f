import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime';
import { act, createElement, type FunctionComponent, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { afterAll, afterEach, beforeEach, vi } from 'vitest';
import { NowProvider } from '../components/time/now.tsx';
import { openServer, type TestServer } from './server.tsx';
import { openWindow } from './window.ts';

/** React Query delivers what has come in a timer of its own. */
const SHOWN_AFTER_MS = 1;

/** A page of the dashboard on which a suite renders hooks: a window, a server, a router and a clock that stands still, new for each test. */
interface HookPage {
  readonly window: ReturnType<typeof openWindow>;
  /** The present test's server. */
  readonly server: () => TestServer;
  /** Opens another address in this test, before anything is rendered on it; a new server answers it. */
  readonly goTo: (search: string) => void;
  /** Renders a hook without properties; it is unmounted after the test. */
  readonly render: <Result>(hook: () => Result) => Promise<RenderedHook<Result, undefined>>;
  /** Advances the clock, by default by the millisecond after which answers that have come are shown. */
  readonly wait: (ms?: number) => Promise<void>;
  /** The addresses that hooks have navigated to in this test. */
  readonly navigations: () => readonly { readonly how: 'push' | 'replace'; readonly href: string }[];
}

/** Sets up the suite's page; `search` is the query of its address. */
export function openHookPage(search: string): HookPage {
  const window = openWindow();
  let server: TestServer;
  let rendered: { readonly act: RenderedHook<unknown, undefined>['act']; readonly unmount: () => Promise<void> }[] = [];
  let navigations: { how: 'push' | 'replace'; href: string }[] = [];
  const router = {
    push: (href: string) => void navigations.push({ how: 'push', href }),
    replace: (href: string) => void navigations.push({ how: 'replace', href }),
    back: () => undefined,
    forward: () => undefined,
    refresh: () => undefined,
    prefetch: () => undefined,
    bfcacheId: '0',
  };
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
    server = openServer(search);
    rendered = [];
    navigations = [];
  });
  afterEach(async () => {
    for (const { unmount } of rendered) await unmount();
    server.close();
    vi.useRealTimers();
  });
  afterAll(() => vi.unstubAllGlobals());
  const wait = async (ms = SHOWN_AFTER_MS) => {
    for (const { act } of rendered.slice(0, 1)) await act(() => vi.advanceTimersByTimeAsync(ms));
  };
  return {
    window,
    server: () => server,
    goTo(elsewhere) {
      server.close();
      server = openServer(elsewhere);
    },
    async render(hook) {
      const { wrapper: Dashboard } = server;
      const initial = Date.now();
      const hookOnPage = await renderHook(hook, {
        props: undefined,
        wrapper: ({ children: hookOf }) => {
          const children = createElement(Dashboard, null, hookOf);
          return createElement(AppRouterContext, { value: router }, createElement(NowProvider, { initial, children }));
        },
      });
      rendered.push(hookOnPage);
      await wait();
      return hookOnPage;
    },
    wait,
    navigations: () => navigations,
  };
}

/** A hook that is rendered, with its present result. */
export interface RenderedHook<Result, Props> {
  /** The hook's return value at its latest rendering. */
  readonly result: { readonly current: Result };
  /** Runs what changes state, and everything that React does because of it. */
  readonly act: (change: () => unknown) => Promise<void>;
  readonly rerender: (props: Props) => Promise<void>;
  readonly unmount: () => Promise<void>;
}

type Wrapper = FunctionComponent<{ children: ReactNode }>;

/**
 * Renders a hook by React's own client renderer, effects and updates included. A hook draws nothing, so that the page is a window
 * with events, storage and an empty document; components with elements are shown by `page.tsx`.
 */
export async function renderHook<Result, Props = undefined>(
  hook: (props: Props) => Result,
  { props, wrapper: Around = Bare }: { props: NoInfer<Props>; wrapper?: Wrapper },
): Promise<RenderedHook<Result, Props>> {
  const results: Result[] = [];
  const root = createRoot(document.createElement('div'));
  const render = (of: Props) =>
    act(async () => root.render(createElement(Around, null, createElement(Hook, { run: () => void results.push(hook(of)) }))));
  await render(props);
  return {
    result: {
      get current() {
        const last = results.at(-1);
        if (last === undefined) throw new Error('The hook has not been rendered.');
        return last;
      },
    },
    act: (change) =>
      act(async () => {
        await change();
      }),
    rerender: render,
    unmount: () => act(async () => root.unmount()),
  };
}

function Hook({ run }: { run: () => void }): null {
  run();
  return null;
}

function Bare({ children }: { children: ReactNode }): ReactNode {
  return children;
}
