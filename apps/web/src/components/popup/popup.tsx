'use client';

import { type ComponentProps, lazy, type ReactNode, Suspense, useState } from 'react';

const loadOpen = () => import('./popup-open.tsx');
const PopupOpen = lazy(loadOpen);

export interface PopupProps {
  /** The button that opens it: its looks, its name, what it shows. */
  readonly button: Pick<ComponentProps<'button'>, 'className' | 'children' | 'aria-label' | 'title'> & {
    readonly 'data-set'?: boolean;
  };
  /** Names what opens. */
  readonly label: string;
  readonly align: 'start' | 'end';
  readonly width?: number;
  /** What opens; `close` puts it away again. */
  readonly content: (close: () => void) => ReactNode;
}

/**
 * A button and what it opens. What positions things over the page is fetched when a pointer or the focus comes near, so that no
 * page waits for it.
 */
export function Popup(props: PopupProps) {
  const [wanted, setWanted] = useState(false);
  const preload = () => void loadOpen();
  const button = (
    <button
      type="button"
      aria-haspopup="dialog"
      aria-expanded={false}
      {...props.button}
      onPointerEnter={preload}
      onFocus={preload}
      onClick={() => setWanted(true)}
    />
  );
  if (!wanted) return button;
  return (
    <Suspense fallback={button}>
      <PopupOpen {...props} />
    </Suspense>
  );
}
