'use client';

import { useRouter } from 'next/navigation';
import { useEffect } from 'react';

const FIRST_WAIT_MS = 3_000;
const LONGEST_WAIT_MS = 30_000;
const GROWTH = 1.5;

/**
 * Has the payment verified again with growing intervals, and shows the result in place: a page reload would send screen readers
 * back to its beginning.
 */
export function PollResult({ address }: { address: string }) {
  const router = useRouter();
  useEffect(() => {
    let wait = FIRST_WAIT_MS;
    let timer = setTimeout(poll, wait);
    let left = false;
    async function poll(): Promise<void> {
      // The answer only redirects to this page, so its content is ignored; a failed request is retried at the next interval.
      await fetch(address, { redirect: 'manual' }).catch(() => undefined);
      if (left) return;
      router.refresh();
      wait = Math.min(wait * GROWTH, LONGEST_WAIT_MS);
      timer = setTimeout(poll, wait);
    }
    return () => {
      left = true;
      clearTimeout(timer);
    };
  }, [address, router]);
  return null;
}
