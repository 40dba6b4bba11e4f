'use client';

import { Select as Listbox } from '@base-ui/react/select';
import { IconSelector } from '@tabler/icons-react';
import { lazy, type ReactNode, Suspense, useId } from 'react';
import { type ListProps, Option, place, type SelectOption, useList } from './list-parts.tsx';
import classes from './select.module.css';

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
const LongSelect = lazy(() => import('./long-select.tsx').then((module) => ({ default: module.LongSelect })));

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
  const list: ListProps = {
    label,
    options,
    value,
    disabled,
    onChange: (next) => {
      const found = options.find((option) => option.value === next);
      if (found !== undefined) onChange(found.value);
    },
    button: {
      id,
      className: classes.control,
      onBlur,
      'data-marked': marked,
      'data-place': labelPlace,
      'aria-labelledby': `${id}-label ${id}-value`,
      'aria-describedby': describedBy,
      'aria-invalid': error !== null,
    },
    children: (
      <>
        {labelPlace === 'inside' && (
          <span className="flex-none text-ink-quiet" aria-hidden="true">
            {label}
          </span>
        )}
        <span className={classes.value} id={`${id}-value`} data-empty={selected === undefined}>
          {selected?.label ?? placeholder}
        </span>
        <IconSelector size={14} stroke={1.7} className="flex-none text-ink-faint" aria-hidden="true" />
      </>
    ),
  };
  return (
    <div className={classes.field} data-place={labelPlace} data-wrong={error !== null}>
      <label
        id={`${id}-label`}
        htmlFor={id}
        className={labelPlace === 'above' ? 'text-ink-quiet text-xs font-medium' : 'sr-only'}
      >
        {label}
      </label>
      {options.length < SEARCH_FROM ? (
        <ShortSelect {...list} />
      ) : (
        <Suspense fallback={<LoadingSelect {...list} />}>
          <LongSelect {...list} />
        </Suspense>
      )}
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

/** The look of the control while its list loads. */
function LoadingSelect({ button, children }: ListProps) {
  return (
    <div className={button.className} data-marked={button['data-marked']} data-place={button['data-place']} aria-hidden="true">
      {children}
    </div>
  );
}

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

/** Every time zone the browser knows, in its order: those of Africa, where the merchants are, first. Offsets are left out: 400 formats take a second. */
export function zoneOptions(): SelectOption[] {
  const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];
  return zones.map((value) => ({ value, label: value.replaceAll('_', ' ') }));
}
