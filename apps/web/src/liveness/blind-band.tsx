'use client';

import { IconPlugConnectedX } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useEffect } from 'react';
import { Moment } from '../components/time/moment.tsx';
import { showToast } from '../components/toasts/toast-store.ts';
import { useBlindness } from './blindness.ts';
import { watchBeats } from './watch-beats.ts';

/** Says on every page that what it shows may be out of date, since when and why, and takes the green from it. */
export function BlindBand() {
  const queries = useQueryClient();
  const blindness = useBlindness();
  const isBlind = blindness !== null;
  useEffect(() => watchBeats(queries), [queries]);
  useEffect(() => {
    document.documentElement.toggleAttribute('data-blind', isBlind);
  }, [isBlind]);
  useKeptPage(isBlind);
  return (
    <div role="alert">
      {blindness !== null && (
        <p className="flex flex-wrap items-center gap-x-2 min-h-9 px-5 py-1.5 bg-bad-soft text-bad-ink text-sm max-laptop:px-3">
          <IconPlugConnectedX size={16} stroke={1.8} className="flex-none" aria-hidden="true" />
          <strong className="font-semibold">
            {blindness.reason === 'offline' ? 'You are offline' : 'Switchyard does not answer'}
          </strong>
          <span>
            Last updated <Moment value={new Date(blindness.since)} />. What is shown may be out of date.
          </span>
        </p>
      )}
    </div>
  );
}

const REACHED_WITHIN_MS = 3_000;

/** While the page is blind, a link is followed only once the server answers: the browser would leave the page for one of its own. */
function useKeptPage(isBlind: boolean): void {
  const router = useRouter();
  useEffect(() => {
    if (!isBlind) return;
    async function go(href: string): Promise<void> {
      if (await isReachable()) router.push(href);
      else showToast({ text: 'Switchyard does not answer. The page is kept: try again later.', tone: 'bad', subject: 'blind' });
    }
    function keep(event: MouseEvent): void {
      const href = plainLink(event);
      if (href === null) return;
      event.preventDefault();
      event.stopPropagation();
      void go(href);
    }
    document.addEventListener('click', keep, { capture: true });
    return () => document.removeEventListener('click', keep, { capture: true });
  }, [isBlind, router]);
}

/** The address of a link to another page of ours that a plain click follows in this tab; null for any other click. */
function plainLink(event: MouseEvent): string | null {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (link === null || link.target !== '' || link.hasAttribute('download') || link.origin !== window.location.origin) return null;
  if (link.pathname === window.location.pathname && link.hash !== '') return null;
  return `${link.pathname}${link.search}${link.hash}`;
}

async function isReachable(): Promise<boolean> {
  const options = { cache: 'no-store', signal: AbortSignal.timeout(REACHED_WITHIN_MS) } as const;
  return fetch('/api/health', options).then(
    ({ ok }) => ok,
    () => false,
  );
}
