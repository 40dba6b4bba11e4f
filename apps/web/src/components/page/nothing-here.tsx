import Link from 'next/link';
import { Logo } from './logo.tsx';

/** Not found, or not visible to the viewer. */
export function NothingHere() {
  return (
    <div className="grid gap-3.5 justify-items-start content-center max-w-[480px] min-h-[70vh] mx-auto p-6 text-sm">
      <Logo size={28} />
      <h1 className="text-2xl leading-[1.25]">Page not found</h1>
      <p className="text-ink-quiet">The address may be mistyped, or belong to a merchant you cannot access.</p>
      <Link href="/overview">Go to overview</Link>
    </div>
  );
}
