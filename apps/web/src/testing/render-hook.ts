import { act, createElement, type FunctionComponent, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';

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
