'use client';

import { type RefObject, useEffect, useState } from 'react';

/**
 * True while a table is wider than its frame, which then scrolls sideways. A frame that scrolls keeps its header to itself: while the
 * window scrolls, the header is moved by `--head` pixels to stay in sight.
 */
export function useSidewaysScroll(frame: RefObject<HTMLDivElement | null>): boolean {
  const [scrolls, setScrolls] = useState(false);
  useEffect(() => {
    const element = frame.current;
    const table = element?.firstElementChild;
    if (element === null || !(table instanceof HTMLElement)) return;
    const observer = new ResizeObserver(() => setScrolls(table.offsetWidth > element.clientWidth + 1));
    observer.observe(element);
    observer.observe(table);
    return () => observer.disconnect();
  }, [frame]);
  useEffect(() => {
    const element = frame.current;
    const header = element?.querySelector('th');
    if (!scrolls || element === null || header == null) return;
    const place = () => {
      const top = Number.parseFloat(getComputedStyle(element).scrollMarginTop) || 0;
      const { top: begin, height } = element.getBoundingClientRect();
      element.style.setProperty('--head', `${Math.min(Math.max(0, top - begin), Math.max(0, height - header.offsetHeight))}px`);
    };
    place();
    window.addEventListener('scroll', place, { passive: true });
    return () => window.removeEventListener('scroll', place);
  }, [frame, scrolls]);
  return scrolls;
}
