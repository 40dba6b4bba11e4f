'use client';

import { type ComponentType, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useLazyKit } from '../kit/use-lazy-kit.ts';
import classes from './tooltip.module.css';
import type { TooltipOpenProps } from './tooltip-open.tsx';

const loadOpen = (): Promise<ComponentType<TooltipOpenProps>> =>
  import('./tooltip-open.tsx').then((module) => module.TooltipOpen);

/**
 * A few words about an element, shown while it is pointed at or has the focus, and read out as its description. `children` is one
 * element; one that takes no focus is described to pointers only. Escape hides the words. They are drawn by Mantine, loaded on
 * first use.
 */
export function Tooltip({ text, children }: { text: ReactNode; children: ReactNode }) {
  const id = useId();
  const holder = useRef<HTMLSpanElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const Open = useLazyKit(isOpen, loadOpen);
  const show = () => setIsOpen(true);
  const hide = () => setIsOpen(false);

  useEffect(() => {
    if (!isOpen) return;
    const target = holder.current?.firstElementChild;
    target?.setAttribute('aria-describedby', id);
    return () => target?.removeAttribute('aria-describedby');
  }, [isOpen, id]);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the element within is what a person points at.
    <span
      ref={holder}
      className={classes.holder}
      onPointerEnter={show}
      onPointerLeave={hide}
      onFocus={show}
      onBlur={hide}
      onKeyDown={(event) => event.key === 'Escape' && hide()}
    >
      {children}
      {isOpen && Open !== null && <Open id={id} text={text} holder={holder} />}
    </span>
  );
}
