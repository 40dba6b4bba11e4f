import type { Metadata } from 'next';
import Link from 'next/link';
import { Mark } from '../components/mark.tsx';
import classes from './plain-page.module.css';

export const metadata: Metadata = { title: 'Not found' };

export default function NotFound() {
  return (
    <main className={classes.page}>
      <Mark size={28} />
      <h1 className={classes.title}>There is nothing at this address</h1>
      <p className={classes.lead}>It may have been mistyped, or belong to a merchant you have no access to.</p>
      <Link href="/overview">Go to the overview</Link>
    </main>
  );
}
