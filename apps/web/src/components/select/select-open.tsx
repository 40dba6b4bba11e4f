'use client';

import '@mantine/core/styles/Popover.layer.css';
import '@mantine/core/styles/Input.layer.css';
import '@mantine/core/styles/Combobox.layer.css';
import { Combobox, useCombobox } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { type ComponentProps, type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { floatingHome } from '../kit/floating-home.ts';
import { KitProvider } from '../kit/kit-provider.tsx';
import { findOptions } from './find-options.ts';
import classes from './select.module.css';
import type { SelectOption } from './select-props.ts';

/** Fewer options are seen at a glance. */
const SEARCH_FROM = 9;
/** More in the list would take long to draw and to read. */
const SHOWN_MAX = 100;

/** The select while it may be open. */
export interface SelectOpenProps {
  readonly label: string;
  readonly button: ComponentProps<'button'>;
  readonly face: ReactNode;
  readonly options: readonly SelectOption[];
  readonly value: string | null;
  readonly onChange: (value: string) => void;
}

/** The part of a select that is fetched late. It opens as soon as it is there. */
export function SelectOpen(props: SelectOpenProps) {
  return (
    <KitProvider>
      <OpenSelect {...props} />
    </KitProvider>
  );
}

function OpenSelect({ label, button, face, options, value, onChange }: SelectOpenProps) {
  const trigger = useRef<HTMLButtonElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [home, setHome] = useState<HTMLElement | null>(null);
  // The button names the list it controls: by an id that stays, and once the list is there, which Mantine draws later.
  const listId = useId();
  const [, setList] = useState<HTMLElement | null>(null);
  const isLong = options.length >= SEARCH_FROM;
  const store = useCombobox({
    onDropdownClose: () => {
      store.resetSelectedOption();
      setText('');
      trigger.current?.focus();
    },
    onDropdownOpen: () => {
      store.updateSelectedOptionIndex('active', { scrollIntoView: true });
      if (isLong) requestAnimationFrame(() => search.current?.focus());
    },
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: it opens once, when it replaces the button that was pressed.
  useEffect(() => {
    setHome(floatingHome(trigger.current));
    trigger.current?.focus();
    store.openDropdown();
  }, []);

  const found = findOptions(options, text);
  const shown = found.slice(0, SHOWN_MAX);

  /** Escape closes the list, not the dialog or the panel around it. */
  function press(event: KeyboardEvent) {
    if (event.key !== 'Escape' || !store.dropdownOpened) return;
    event.preventDefault();
    event.stopPropagation();
    store.closeDropdown();
  }

  return (
    <div className={classes.holder} onKeyDownCapture={press}>
      <Combobox
        store={store}
        width={isLong ? 320 : 'target'}
        position="bottom-start"
        offset={4}
        floatingStrategy="fixed"
        portalProps={{ target: home ?? document.body }}
        onOptionSubmit={(next) => {
          onChange(next);
          store.closeDropdown();
        }}
      >
        <Combobox.Target targetType="button" withExpandedAttribute>
          <button type="button" {...button} ref={trigger} onClick={() => store.toggleDropdown()}>
            {face}
          </button>
        </Combobox.Target>
        <Combobox.Dropdown className={classes.dropdown ?? ''} onKeyDownCapture={press}>
          {isLong && (
            <Combobox.Search
              ref={search}
              className={classes.search ?? ''}
              classNames={{ input: classes.searchInput ?? '' }}
              aria-label={`Search ${label}`}
              placeholder="Search"
              value={text}
              onChange={(event) => {
                setText(event.currentTarget.value);
                store.selectFirstOption();
              }}
            />
          )}
          <Combobox.Options
            id={listId}
            ref={setList}
            className={classes.options ?? ''}
            aria-label={label}
            hidden={shown.length === 0}
          >
            {shown.map((option) => (
              <Combobox.Option
                key={option.value}
                value={option.value}
                active={option.value === value}
                className={classes.option ?? ''}
              >
                <span className={classes.optionLabel}>{option.label}</span>
                {option.note !== undefined && <span className={classes.note}>{option.note}</span>}
                {option.value === value && <IconCheck size={14} stroke={2} aria-hidden="true" />}
              </Combobox.Option>
            ))}
          </Combobox.Options>
          <p className={shown.length === 0 ? classes.none : undefined} role="status">
            {shown.length === 0 && 'No match'}
          </p>
          {found.length > shown.length && (
            <p className={classes.more}>
              {shown.length} of {found.length}. Type to find others.
            </p>
          )}
        </Combobox.Dropdown>
      </Combobox>
    </div>
  );
}
