'use client';

import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react';
import { Button } from '../button/button.tsx';
import { Moment } from '../time/moment.tsx';

/** A session of a staff user; `updatedAt` is when it was last seen. */
interface ShownSession {
  readonly id: string;
  readonly ipAddress: string | null;
  readonly userAgent: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** This very browser. */
  readonly current?: boolean;
}

/** An address of the longer kind without its zeros. */
function shortAddress(address: string): string {
  const url = `http://[${address}]`;
  return address.includes(':') && URL.canParse(url) ? new URL(url).hostname.slice(1, -1) : address;
}

/** The sessions of a staff user: browser, address, last seen. Undefined while they load. */
export function SessionList({
  sessions,
  busy,
  onEnd,
}: {
  sessions: readonly ShownSession[] | undefined;
  busy: boolean;
  onEnd: (sessionId: string) => void;
}) {
  if (sessions === undefined)
    return <div className="h-[112px] rounded-xl bg-ground-quiet" role="status" aria-label="Loading sessions" />;
  if (sessions.length === 0) return <p className="text-ink-faint text-xs">No active sessions.</p>;
  return (
    <ul className="border-t border-line">
      {sessions.map(({ id, ipAddress, userAgent, createdAt, updatedAt, current = false }) => {
        const browser = describeBrowser(userAgent);
        const Glyph = /iPhone|Android/.test(browser) ? IconDeviceMobile : IconDeviceDesktop;
        return (
          <li key={id} className="flex items-center gap-3.5 min-h-14 py-2 border-b border-line">
            <Glyph size={20} stroke={1.5} className="flex-none text-ink-faint" aria-hidden="true" />
            <div className="flex-1 min-w-0">
              <p className="flex flex-wrap gap-x-2.5 gap-y-0.5 items-center text-sm font-medium">
                {browser}
                {current && <span className="px-2 rounded-[9px] bg-accent-soft text-accent-ink text-xs">This browser</span>}
              </p>
              <p className="text-ink-faint text-xs">
                {ipAddress === null || ipAddress === '' ? 'Address unknown' : `From ${shortAddress(ipAddress)}`} · seen{' '}
                <Moment value={updatedAt} /> · signed in <Moment value={createdAt} />
              </p>
            </div>
            {!current && (
              <Button loading={busy} onClick={() => onEnd(id)} aria-label={`Sign out ${browser}`}>
                Sign out
              </Button>
            )}
          </li>
        );
      })}
    </ul>
  );
}

const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/Edg(?:A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/CriOS\/|Chrome\/|HeadlessChrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
  [/curl\//, 'curl'],
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
];

/** A user agent in words: `Firefox on Windows`. */
export function describeBrowser(userAgent: string | null): string {
  if (userAgent === null || userAgent.trim() === '') return 'Unknown browser';
  const find = (known: readonly (readonly [RegExp, string])[]) => known.find(([pattern]) => pattern.test(userAgent))?.[1];
  const browser = find(BROWSERS);
  const system = find(SYSTEMS);
  if (browser === undefined) return system === undefined ? 'Unknown browser' : `Unknown browser on ${system}`;
  return system === undefined ? browser : `${browser} on ${system}`;
}
