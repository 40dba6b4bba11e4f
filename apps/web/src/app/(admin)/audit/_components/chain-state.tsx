'use client';

import { IconAlertTriangle, IconChevronDown, IconLink } from '@tabler/icons-react';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { Button } from '#/components/button/button.tsx';
import { Copyable } from '#/components/copyable/copyable.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { describeBreak } from '#/copy/audit.ts';
import classes from './chain-state.module.css';
import { type CheckedChain, type SavedChainHead, useChains } from './use-chains.ts';

const CompareHead = dynamic(() => import('./compare-head.tsx').then((module) => module.CompareHead));

/**
 * The result of verifying the log's hash chains: each entry holds the hash of the one before, so that a removed or changed entry
 * is detected.
 */
export function ChainState() {
  const { chains, entries, running, message, verify } = useChains();
  const [open, setOpen] = useState(false);
  if (chains === undefined) return message === null ? <div className={classes.waiting} aria-hidden="true" /> : null;
  if (chains.length === 0) return null;
  const broken = chains.filter(({ verified }) => verified?.kind === 'broken');
  const latest = Math.max(...chains.map(({ verified }) => verified?.at.getTime() ?? 0));
  const done = chains.every(({ verified }) => verified !== null);
  const Glyph = broken.length > 0 ? IconAlertTriangle : IconLink;
  return (
    <section
      className={classes.state}
      data-tone={broken.length > 0 ? 'bad' : done && message === null ? 'good' : 'wait'}
      aria-label="Integrity of the log"
    >
      <div className={classes.line}>
        <Glyph size={18} stroke={1.8} className={classes.glyph} aria-hidden="true" />
        <p className={classes.words} role="status">
          {message !== null && message}
          {message === null && broken.length > 0 && broken.map((chain) => <Broken key={chain.merchantId} chain={chain} />)}
          {message === null && broken.length === 0 && done && (
            <>
              <strong>Chain verified</strong>: {count(totalOf(chains), 'entry', 'entries')} in{' '}
              {count(chains.length, 'log', 'logs')}, none changed, missing or moved. <Moment value={new Date(latest)} />
            </>
          )}
          {message === null && broken.length === 0 && !done && running && `Verifying ${count(entries, 'entry', 'entries')}`}
          {message === null &&
            broken.length === 0 &&
            !done &&
            !running &&
            `${count(entries, 'entry', 'entries')} not verified yet`}
        </p>
        <Button loading={running} onClick={() => void verify(chains)}>
          Verify
        </Button>
        <button type="button" className={classes.more} aria-expanded={open} onClick={() => setOpen(!open)}>
          Details
          <IconChevronDown size={14} stroke={1.7} data-open={open} aria-hidden="true" />
        </button>
      </div>
      {open && <Details chains={chains} running={running} onCompare={(chain, kept) => void verify([chain], kept)} />}
    </section>
  );
}

function count(number: number, one: string, many: string): string {
  return `${number.toLocaleString('en')} ${number === 1 ? one : many}`;
}

function totalOf(chains: readonly CheckedChain[]): number {
  return chains.reduce((sum, { verified }) => sum + (verified?.kind === 'verified' ? verified.count : 0), 0);
}

function Broken({ chain: { name, verified } }: { chain: CheckedChain }) {
  if (verified?.kind !== 'broken') return null;
  return (
    <span className={classes.broken}>
      <strong>The log of {name} does not hold</strong> at entry {verified.position.toLocaleString('en')}:{' '}
      {describeBreak(verified.why)}.
    </span>
  );
}

function Details({
  chains,
  running,
  onCompare,
}: {
  chains: readonly CheckedChain[];
  running: boolean;
  onCompare: (chain: CheckedChain, kept: SavedChainHead) => void;
}) {
  return (
    <div className={classes.details}>
      <p className={classes.lead}>
        Copy the heads from time to time and store them elsewhere. Compared later, a head shows even a log that was rewritten in
        the database.
      </p>
      <ul className={classes.chains}>
        {chains.map((chain) => (
          <li key={chain.merchantId} className={classes.chain}>
            <p className={classes.name}>
              {chain.name}
              <span>
                {chain.verified === null && 'Not verified'}
                {chain.verified?.kind === 'verified' && `${count(chain.verified.count, 'entry', 'entries')}, holds`}
                {chain.verified?.kind === 'broken' && `Breaks at entry ${chain.verified.position.toLocaleString('en')}`}
              </span>
            </p>
            <Copyable text={headText(chain)} label={`the head of ${chain.name}`} />
          </li>
        ))}
      </ul>
      <CompareHead chains={chains} running={running} onCompare={onCompare} />
    </div>
  );
}

/** A chain head as text to be stored elsewhere: tenant, position and hash. */
function headText({ merchantId, verified, ...recorded }: CheckedChain): string {
  const { position, hash } = verified?.kind === 'verified' ? verified.head : recorded;
  return `${merchantId ?? 'workspace'}:${position}:${hash}`;
}
