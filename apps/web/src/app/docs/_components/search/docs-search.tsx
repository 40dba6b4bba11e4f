'use client';

import { IconSearch } from '@tabler/icons-react';
import dynamic from 'next/dynamic';
import { useEffect, useState } from 'react';

/** Loaded when it is first opened: readers who come for one page pay nothing for it. */
const SearchDialog = dynamic(() => import('./search-dialog.tsx'), { ssr: false });

/** The search over all pages and operations; `/` and Ctrl-K open it. */
export function DocsSearch() {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const typing = event.target instanceof HTMLElement && event.target.matches('input, textarea, select');
      const asked = (event.key === 'k' && (event.ctrlKey || event.metaKey)) || (event.key === '/' && !typing);
      if (!asked) return;
      event.preventDefault();
      setOpen(true);
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
  return (
    <>
      <button
        type="button"
        className="bar-control flex-1 gap-2.5 min-w-0 max-w-[420px] h-9 text-[13.5px] max-phone:flex-none max-phone:w-10 max-phone:px-2.75"
        onClick={() => setOpen(true)}
      >
        <IconSearch size={16} stroke={1.8} aria-hidden="true" />
        <span className="flex-1 max-phone:hidden">Search</span>
        <span className="py-px px-1.5 border border-line-strong rounded-sm text-2xs max-phone:hidden" aria-hidden="true">
          Ctrl K
        </span>
      </button>
      {open && <SearchDialog onClose={() => setOpen(false)} />}
    </>
  );
}
