import { IconArrowLeft } from '@tabler/icons-react';
import Link from 'next/link';

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
