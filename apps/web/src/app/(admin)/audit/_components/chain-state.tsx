'use client';

import { IconAlertTriangle, IconChevronDown, IconLink } from '@tabler/icons-react';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { Button } from '#/components/button/button.tsx';
import { Copyable } from '#/components/copyable/copyable.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { describeBreak } from '#/copy/audit.ts';
import { type CheckedChain, type SavedChainHead, useChains } from './use-audit.ts';

const CompareHead = dynamic(() => import('./compare-head.tsx').then((module) => module.CompareHead));

/**
 * The result of verifying the log's hash chains: each entry holds the hash of the one before, so that a removed or changed entry
 * is detected.
 */
export function ChainState() {
  const { chains, entries, running, message, verify } = useChains();
  const [open, setOpen] = useState(false);
  if (chains === undefined)
    return message === null ? (
      <div className="min-h-11.5 mb-4 border-l-3 border-line-strong bg-ground-quiet text-sm" aria-hidden="true" />
    ) : null;
  if (chains.length === 0) return null;
  const broken = chains.filter(({ verified }) => verified?.kind === 'broken');
  const latest = Math.max(...chains.map(({ verified }) => verified?.at.getTime() ?? 0));
  const done = chains.every(({ verified }) => verified !== null);
  const tone = broken.length > 0 ? 'bad' : done && message === null ? 'good' : 'over';
  const Glyph = broken.length > 0 ? IconAlertTriangle : IconLink;
  return (
    <section
      className="side-note min-h-11.5 mb-4 p-0 data-[tone=good]:bg-ground-quiet"
      data-tone={tone}
      aria-label="Integrity of the log"
    >
      <div className="flex flex-wrap gap-x-2.5 gap-y-1.5 items-center min-h-11.5 py-1.5 pr-2 pl-3.5">
        <Glyph size={18} stroke={1.8} className="flex-none tone-ink" data-tone={tone} aria-hidden="true" />
        <p className="flex-[1_1_260px] min-w-0 [&_time]:text-ink-faint" role="status">
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
        <button
          type="button"
          className="inline-flex gap-1 items-center h-8 px-2 rounded-md text-ink-quiet hover:bg-ground-hover [&_[data-open=true]]:[transform:rotate(180deg)]"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
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
    <span className="block">
      <strong>The log of {name} failed verification</strong> at entry {verified.position.toLocaleString('en')}:{' '}
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
    <div className="grid gap-3 pt-1 pr-3.5 pb-4 pl-10.5 text-ink max-phone:pl-3.5">
      <p className="max-w-[620px] text-ink-quiet">
        Copy the heads from time to time and store them elsewhere. Compared later, a head shows even a log that was rewritten in
        the database.
      </p>
      <ul className="grid gap-2.5">
        {chains.map((chain) => (
          <li key={chain.merchantId} className="grid gap-0.5 min-w-0">
            <p className="flex flex-wrap gap-x-3 gap-y-1 font-medium [&_span]:text-ink-quiet [&_span]:font-normal">
              {chain.name}
              <span>
                {chain.verified === null && 'Not verified'}
                {chain.verified?.kind === 'verified' && `${count(chain.verified.count, 'entry', 'entries')}, holds`}
                {chain.verified?.kind === 'broken' && `Broken at entry ${chain.verified.position.toLocaleString('en')}`}
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
