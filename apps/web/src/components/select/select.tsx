'use client';

import { Combobox } from '@base-ui/react/combobox';
import { Select as Listbox } from '@base-ui/react/select';
import { IconCheck, IconSelector } from '@tabler/icons-react';
import { type ComponentProps, type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import { floatingContainer } from '../popup/floating-container.ts';
import classes from './select.module.css';

/** One option of a select. */
export interface SelectOption<Value extends string = string> {
  readonly value: Value;
  readonly label: string;
  /** A second, quieter text beside the label, found by the search too: a number, an offset. */
  readonly note?: string;
}

/** Content and behaviour of a select. */
export interface SelectProps<Value extends string = string> {
  readonly label: string;
  /** `above` the control, `inside` it before the value (filters), or `hidden` from sight. */
  readonly labelPlace?: 'above' | 'inside' | 'hidden';
  readonly options: readonly SelectOption<Value>[];
  /** Null while nothing is selected. */
  readonly value: Value | null;
  readonly onChange: (value: Value) => void;
  readonly onBlur?: () => void;
  /** Shown while nothing is selected. */
  readonly placeholder?: string;
  /** The error, as a sentence without its subject: `must not be empty`. */
  readonly error?: string | null;
  readonly description?: ReactNode;
  readonly disabled?: boolean;
  /** Marks a filter that is set. */
  readonly marked?: boolean;
}

/** Fewer options are seen at a glance. */
const SEARCH_FROM = 9;
/** More in the list would take long to draw and to read. */
const SHOWN_MAX = 100;

/**
 * Selects one of several options, with a search where there are many: merchants, time zones.
 *
 * Tests open it by `getByRole('combobox', { name })` and choose by `getByRole('option', { name })`.
 */
export function Select<Value extends string>({
  label,
  labelPlace = 'above',
  options,
  value,
  onChange,
  onBlur,
  placeholder = 'Select',
  error = null,
  description,
  disabled = false,
  marked = false,
}: SelectProps<Value>) {
  const id = useId();
  const selected = options.find((option) => option.value === value);
  const about = error === null ? description : `${error.charAt(0).toUpperCase()}${error.slice(1)}.`;
  const describedBy = about === undefined || about === null ? undefined : `${id}-about`;
  const List = options.length < SEARCH_FROM ? ShortSelect : LongSelect;
  return (
    <div className={classes.field} data-place={labelPlace} data-wrong={error !== null}>
      <label
        id={`${id}-label`}
        htmlFor={id}
        className={labelPlace === 'above' ? 'text-ink-quiet text-xs font-medium' : 'sr-only'}
      >
        {label}
      </label>
      <List
        label={label}
        options={options}
        value={value}
        disabled={disabled}
        onChange={(next) => {
          const found = options.find((option) => option.value === next);
          if (found !== undefined) onChange(found.value);
        }}
        button={{
          id,
          className: classes.control,
          onBlur,
          'data-marked': marked,
          'data-place': labelPlace,
          'aria-labelledby': `${id}-label ${id}-value`,
          'aria-describedby': describedBy,
          'aria-invalid': error !== null,
        }}
      >
        {labelPlace === 'inside' && (
          <span className="flex-none text-ink-quiet" aria-hidden="true">
            {label}
          </span>
        )}
        <span className={classes.value} id={`${id}-value`} data-empty={selected === undefined}>
          {selected?.label ?? placeholder}
        </span>
        <IconSelector size={14} stroke={1.7} className="flex-none text-ink-faint" aria-hidden="true" />
      </List>
      {describedBy !== undefined && (
        <p
          id={describedBy}
          className={error === null ? 'text-ink-faint text-xs leading-[1.4]' : 'text-xs leading-[1.4] text-bad-ink'}
          aria-live="polite"
        >
          {about}
        </p>
      )}
    </div>
  );
}

interface ListProps {
  readonly label: string;
  readonly options: readonly SelectOption[];
  readonly value: string | null;
  readonly disabled: boolean;
  readonly onChange: (value: string | null) => void;
  readonly button: Omit<ComponentProps<'button'>, 'ref' | 'style' | 'className'> & {
    readonly className: string | undefined;
    readonly 'data-marked': boolean;
    readonly 'data-place': string;
  };
  /** The content of the button. */
  readonly children: ReactNode;
}

/** The open state of a list, and where it floats. Escape closes the list, not the dialog or the panel around it. */
function useList() {
  const [isOpen, setIsOpen] = useState(false);
  const [home, setHome] = useState<HTMLElement | null>(null);
  return {
    home,
    root: {
      open: isOpen,
      modal: false,
      onOpenChange: (open: boolean, { trigger }: { readonly trigger: Element | undefined }) => {
        if (open) setHome(floatingContainer(trigger));
        setIsOpen(open);
      },
    },
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !isOpen) return;
      event.preventDefault();
      event.stopPropagation();
      setIsOpen(false);
    },
  };
}

const place = { className: 'z-300', positionMethod: 'fixed', side: 'bottom', align: 'start', sideOffset: 4 } as const;

function ShortSelect({ label, options, value, disabled, onChange, button, children }: ListProps) {
  const { home, root, onKeyDown } = useList();
  return (
    <Listbox.Root<string> {...root} value={value} onValueChange={onChange} disabled={disabled}>
      <Listbox.Trigger {...button} onKeyDown={onKeyDown}>
        {children}
      </Listbox.Trigger>
      <Listbox.Portal container={home}>
        <Listbox.Positioner {...place} alignItemWithTrigger={false}>
          <Listbox.Popup className={classes.dropdown} onKeyDown={onKeyDown}>
            <Listbox.List className="max-h-[min(320px,50dvh)] overflow-y-auto [overscroll-behavior:contain]" aria-label={label}>
              {options.map((option) => (
                <Listbox.Item key={option.value} value={option.value} label={option.label} className={classes.option}>
                  <Option option={option} isSelected={option.value === value} />
                </Listbox.Item>
              ))}
            </Listbox.List>
          </Listbox.Popup>
        </Listbox.Positioner>
      </Listbox.Portal>
    </Listbox.Root>
  );
}

function LongSelect({ label, options, value, disabled, onChange, button, children }: ListProps) {
  const { home, root, onKeyDown } = useList();
  const [text, setText] = useState('');
  const found = findOptions(options, text);
  const shown = found.slice(0, SHOWN_MAX);
  return (
    <Combobox.Root<SelectOption>
      {...root}
      items={options}
      filteredItems={shown}
      value={options.find((option) => option.value === value) ?? null}
      onValueChange={(option) => onChange(option?.value ?? null)}
      inputValue={text}
      onInputValueChange={setText}
      autoHighlight
      disabled={disabled}
    >
      <Combobox.Trigger {...button} onKeyDown={onKeyDown}>
        {children}
      </Combobox.Trigger>
      <Combobox.Portal container={home}>
        <Combobox.Positioner {...place}>
          <Combobox.Popup className={classes.dropdown} data-long aria-label={label} onKeyDownCapture={onKeyDown}>
            <Combobox.Input
              className="w-full h-9 mb-1 py-0 px-2.5 border-0 border-b border-line rounded-none bg-transparent text-ink text-sm"
              aria-label={`Search ${label}`}
              placeholder="Search"
            />
            <Combobox.List className="max-h-[min(320px,50dvh)] overflow-y-auto [overscroll-behavior:contain]" aria-label={label}>
              {(option: SelectOption) => (
                <Combobox.Item key={option.value} value={option} className={classes.option}>
                  <Option option={option} isSelected={option.value === value} />
                </Combobox.Item>
              )}
            </Combobox.List>
            <Combobox.Empty className="not-empty:p-2 not-empty:text-ink-faint not-empty:text-sm">No match</Combobox.Empty>
            {found.length > shown.length && (
              <p className="text-ink-faint text-xs px-2 pt-1.5 pb-1 border-t border-line">
                {shown.length} of {found.length}. Type to find others.
              </p>
            )}
          </Combobox.Popup>
        </Combobox.Positioner>
      </Combobox.Portal>
    </Combobox.Root>
  );
}

function Option({ option, isSelected }: { option: SelectOption; isSelected: boolean }) {
  return (
    <>
      <span className="flex-1 min-w-0 wrap-anywhere">{option.label}</span>
      {option.note !== undefined && <span className="text-ink-faint text-xs">{option.note}</span>}
      {isSelected && <IconCheck size={14} stroke={2} aria-hidden="true" />}
    </>
  );
}

/** Letters and digits in lower case and without accents, so that `sao paulo` finds `America/Sao_Paulo` and `São Paulo`. */
function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .replace(/[_/-]+/g, ' ')
    .toLowerCase();
}

/** The options in whose label or note every word of a text occurs; those that begin with it come first, otherwise their order stays. */
export function findOptions(options: readonly SelectOption[], text: string): readonly SelectOption[] {
  const wanted = plain(text).trim();
  if (wanted === '') return options;
  const words = wanted.split(/\s+/);
  const found = options.filter(({ label, note = '' }) => {
    const searched = plain(`${label} ${note}`);
    return words.every((word) => searched.includes(word));
  });
  const begins = (option: SelectOption) => plain(option.label).startsWith(wanted);
  return [...found.filter(begins), ...found.filter((option) => !begins(option))];
}

/** Every time zone the browser knows, in its order: those of Africa, where the merchants are, first. Offsets are left out: 400 formats take a second. */
export function zoneOptions(): SelectOption[] {
  const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];
  return zones.map((value) => ({ value, label: value.replaceAll('_', ' ') }));
}
