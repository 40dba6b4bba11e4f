'use client';

import Link from 'next/link';
import type { ComponentProps, MouseEvent } from 'react';

/** A link to what a row is about: a plain click opens it beside the list, any other click opens its own page. */
export function RowLink({ isOpen, onOpen, ...link }: ComponentProps<typeof Link> & { isOpen: boolean; onOpen: () => void }) {
  function click(event: MouseEvent<HTMLAnchorElement>) {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    onOpen();
  }
  return (
    <Link
      {...link}
      prefetch={false}
      className="row-link font-medium"
      aria-current={isOpen ? 'true' : undefined}
      onClick={click}
    />
  );
}
