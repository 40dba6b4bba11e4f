import { IconArrowLeft } from '@tabler/icons-react';
import Link from 'next/link';
import type { ReactNode } from 'react';

/** The head of a page: its title, and its actions beside it, or below where it is long. */
export function PageHead({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 min-h-9 mb-4">
      <h1 className="flex-auto wrap-anywhere text-2xl font-semibold leading-[1.25] tracking-[-0.015em] max-phone:[order:-2]">
        {title}
      </h1>
      {children}
    </div>
  );
}

/** A link above the page's heading, back to the page it was opened from. */
export function BackLink({ href, children }: { href: string; children: string }) {
  return (
    <p className="mb-1 print:hidden">
      <Link
        href={href}
        className="inline-flex items-center gap-1.5 min-h-6 text-ink-quiet text-sm no-underline hover:text-ink hover:underline hover:underline-offset-3"
      >
        <IconArrowLeft size={16} stroke={1.7} aria-hidden="true" />
        {children}
      </Link>
    </p>
  );
}
