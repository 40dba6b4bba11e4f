'use client';

import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react';
import { Button } from '../button/button.tsx';
import { Moment } from '../time/moment.tsx';
import { describeBrowser } from './describe-browser.ts';
import classes from './session-list.module.css';

/** A session of a staff user; `updatedAt` is when it was last seen. */
export interface ShownSession {
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
  if (sessions === undefined) return <div className={classes.waiting} role="status" aria-label="Loading sessions" />;
  if (sessions.length === 0) return <p className={classes.none}>No active sessions.</p>;
  return (
    <ul className={classes.list}>
      {sessions.map(({ id, ipAddress, userAgent, createdAt, updatedAt, current = false }) => {
        const browser = describeBrowser(userAgent);
        const Glyph = /iPhone|Android/.test(browser) ? IconDeviceMobile : IconDeviceDesktop;
        return (
          <li key={id} className={classes.session}>
            <Glyph size={20} stroke={1.5} className={classes.glyph} aria-hidden="true" />
            <div className={classes.description}>
              <p className={classes.name}>
                {browser}
                {current && <span className={classes.current}>This browser</span>}
              </p>
              <p className={classes.facts}>
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
