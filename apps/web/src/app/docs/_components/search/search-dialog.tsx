'use client';

import MiniSearch, { type SearchResult } from 'minisearch';
import { useRouter } from 'next/navigation';
import { useEffect, useId, useState } from 'react';
import { Overlay, useChosenOption } from '#/app-shell/overlay.tsx';
import { SEARCH_OPTIONS } from './search-options.ts';

const SHOWN_MAX = 12;

/** Type some letters, choose with the arrow keys, press Enter. */
export default function SearchDialog({ onClose }: { onClose: () => void }) {
  const router = useRouter();
  const id = useId();
  const [index, setIndex] = useState<MiniSearch | 'loading' | 'failed'>('loading');
  const [text, setText] = useState('');

  useEffect(() => {
    let gone = false;
    const take = (read: MiniSearch | 'failed') => {
      if (!gone) setIndex(read);
    };
    loadIndex().then(take, () => take('failed'));
    return () => {
      gone = true;
    };
  }, []);

  const found = typeof index === 'string' || text.trim() === '' ? [] : index.search(text).slice(0, SHOWN_MAX);
  const { list, chosen, choose, press } = useChosenOption(found.length, text, (at) => go(found[at]));

  function go(result: SearchResult | undefined) {
    if (result === undefined) return;
    onClose();
    router.push(String(result.id));
  }

  return (
    <Overlay label="Search the documentation" onClose={onClose}>
      <input
        className="overlay-field"
        role="combobox"
        aria-expanded={found.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={chosen >= 0 ? `${id}-${chosen}` : undefined}
        aria-label="Search the documentation"
        placeholder="A word, an error, a field, an endpoint"
        autoComplete="off"
        spellCheck={false}
        value={text}
        maxLength={100}
        onChange={(event) => {
          setText(event.currentTarget.value);
          choose(0);
        }}
        onKeyDown={press}
      />
      <div
        ref={list}
        className="flex-1 min-h-0 overflow-y-auto py-1.5 px-2 empty:hidden"
        id={`${id}-list`}
        role="listbox"
        aria-label="Found"
      >
        {found.map((result, position) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above holds the focus and takes the keys.
          <div
            key={String(result.id)}
            id={`${id}-${position}`}
            role="option"
            tabIndex={-1}
            aria-selected={position === chosen}
            className="overlay-option grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 gap-y-0.5 py-2.25"
            onPointerMove={() => choose(position)}
            onClick={() => go(result)}
          >
            <span className="text-base font-medium truncate">{String(result.title)}</span>
            <span className="text-ink-quiet text-xs leading-5">{String(result.page)}</span>
            <span className="col-span-full text-ink-quiet text-[12.5px] truncate">{String(result.begins)}</span>
          </div>
        ))}
      </div>
      <p
        className="not-empty:py-4.5 not-empty:px-5 not-empty:text-ink-quiet not-empty:text-sm not-empty:wrap-anywhere"
        role="status"
      >
        {describeState(index, text, found.length)}
      </p>
    </Overlay>
  );
}

function describeState(index: MiniSearch | 'loading' | 'failed', text: string, count: number): string {
  if (index === 'failed') return 'The search could not be loaded. Reload the page to try again.';
  if (index === 'loading') return 'Loading';
  if (text.trim() === '') return 'Searches every page and every operation of the API.';
  return count === 0 ? `Nothing was found for “${text.trim()}”.` : '';
}

let index: Promise<MiniSearch> | undefined;

/** The index of the documentation, fetched once for all searches of a visit. */
function loadIndex(): Promise<MiniSearch> {
  index ??= fetchIndex().catch((error: unknown) => {
    index = undefined;
    throw error;
  });
  return index;
}

async function fetchIndex(): Promise<MiniSearch> {
  const response = await fetch('/docs/search-index');
  if (!response.ok) throw new Error(`the index was answered with ${response.status}`);
  return MiniSearch.loadJSON(await response.text(), SEARCH_OPTIONS);
}
