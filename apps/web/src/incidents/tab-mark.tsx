'use client';

import { useEffect } from 'react';
import { useIsBlind } from '../liveness/blindness.ts';
import { type Outage, type OutageAccount, useAttention, useOutage } from './use-attention.ts';

/** Title and icon of the tab, for those who look at another one: what is critical, or that the page is not live. */
export function TabMark({ refetchInterval }: { refetchInterval: number }) {
  const { data } = useAttention(refetchInterval);
  const outage = useOutage();
  const isBlind = useIsBlind();
  const critical = data?.items.filter(({ severity }) => severity === 'critical') ?? [];
  const [worst] = critical;
  const words = outage?.isCritical === true ? outageMark(outage) : (worst?.title ?? null);
  const alert = words === null ? null : `● ${Math.max(1, critical.length)} ${words}`;
  const mark = isBlind ? '○ Not live' : alert;
  useTitleMark(mark);
  useIcon(isBlind ? 'blind' : alert === null ? null : 'alert');
  return null;
}

const SEPARATOR = ' · ';

/** Puts a mark before the title of the page, also when another page sets its own. */
function useTitleMark(mark: string | null): void {
  useEffect(() => {
    if (mark === null) return;
    const prefix = `${mark}${SEPARATOR}`;
    const put = () => {
      if (!document.title.startsWith(prefix)) document.title = `${prefix}${document.title}`;
    };
    put();
    const observer = new MutationObserver(put);
    observer.observe(document.head, { childList: true, subtree: true, characterData: true });
    return () => {
      observer.disconnect();
      if (document.title.startsWith(prefix)) document.title = document.title.slice(prefix.length);
    };
  }, [mark]);
}

const DOTS = { alert: '#d6372d', blind: '#8b96a0' } as const;

/** The product's icon with a dot of a colour in its corner. */
function iconWith(colour: string): string {
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" rx="5" fill="#0f655f"/><path d="M4 16.5h5c4 0 3.5-8 7.5-8h3.5M9 16.5h11" fill="none" stroke="#fff" stroke-width="2" stroke-linecap="round"/><circle cx="17" cy="7" r="7" fill="${colour}" stroke="#fff" stroke-width="1.5"/></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(drawing)}`;
}

function useIcon(dot: keyof typeof DOTS | null): void {
  useEffect(() => {
    if (dot === null) return;
    const icons = [...document.querySelectorAll<HTMLLinkElement>('link[rel="icon"]')].map((link) => ({ link, href: link.href }));
    for (const { link } of icons) link.href = iconWith(DOTS[dot]);
    return () => {
      for (const { link, href } of icons) link.href = href;
    };
  }, [dot]);
}

/** An outage in as few words as the title of a tab has room for: `Paystack down`. */
export function outageMark({ accounts }: Pick<Outage, 'accounts'>): string {
  const [first = '', ...others] = [...new Set(accounts.map(({ gatewayTitle }) => gatewayTitle))];
  const worst = accounts[0]?.state ?? 'healthy';
  return `${first}${others.length > 0 ? ` and ${others.length} more` : ''} ${MARKS[worst]}`;
}

const MARKS: Record<OutageAccount['state'], string> = {
  down: 'down',
  degraded: 'degraded',
  probing: 'probing',
  healthy: 'recovered',
};
