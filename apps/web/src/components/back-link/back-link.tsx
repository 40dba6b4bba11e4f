import { IconArrowLeft } from '@tabler/icons-react';
import Link from 'next/link';
import classes from './back-link.module.css';

/** A link above the page's heading, back to the page it was opened from. */
export function BackLink({ href, children }: { href: string; children: string }) {
  return (
    <p className={classes.line}>
      <Link href={href} className={classes.back}>
        <IconArrowLeft size={16} stroke={1.7} aria-hidden="true" />
        {children}
      </Link>
    </p>
  );
}
