'use client';

import { useRouter } from 'next/navigation';
import { useEffect } from 'react';

const FIRST_WAIT_MS = 3_000;
const LONGEST_WAIT_MS = 30_000;
const GROWTH = 1.5;

/**
 * Has the gateway asked again and again, ever less often, and shows what came of it in place: a page that reloaded itself would
 * throw readers of screens back to its beginning.
 */
export function LookAgain({ address }: { address: string }) {
  const router = useRouter();
  useEffect(() => {
    let wait = FIRST_WAIT_MS;
    let timer = setTimeout(look, wait);
    let left = false;
    async function look(): Promise<void> {
      // The answer only sends on to this page: that it has come is all that matters, and when it has not, the next one may.
      await fetch(address, { redirect: 'manual' }).catch(() => undefined);
      if (left) return;
      router.refresh();
      wait = Math.min(wait * GROWTH, LONGEST_WAIT_MS);
      timer = setTimeout(look, wait);
    }
    return () => {
      left = true;
      clearTimeout(timer);
    };
  }, [address, router]);
  return null;
}
