'use client';

import { lazy, Suspense, useState } from 'react';
import type { PopupProps } from './popup-props';

const loadOpen = () => import('./popup-open.tsx');
const PopupOpen = lazy(loadOpen);

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
