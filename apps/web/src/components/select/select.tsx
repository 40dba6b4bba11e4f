'use client';

import { IconSelector } from '@tabler/icons-react';
import { type ComponentType, useId, useState } from 'react';
import { useLazyKit } from '../kit/use-lazy-kit.ts';
import classes from './select.module.css';
import type { SelectOpenProps } from './select-open.tsx';
import type { SelectProps } from './select-props.ts';

const loadOpen = (): Promise<ComponentType<SelectOpenProps>> => import('./select-open.tsx').then((module) => module.SelectOpen);

/**
 * Selects one of several options, with a search where there are many: merchants, time zones. Closed it is a button; the list and
 * its search come from Mantine and are loaded when a pointer or the focus comes near.
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
  problem = null,
  hint,
  disabled = false,
  marked = false,
}: SelectProps<Value>) {
  const id = useId();
  const [isNear, setIsNear] = useState(false);
  const [opens, setOpens] = useState(0);
  const Open = useLazyKit(isNear || opens > 0, loadOpen);
  const selected = options.find((option) => option.value === value);
  const about = problem === null ? hint : `${problem.charAt(0).toUpperCase()}${problem.slice(1)}.`;
  const describedBy = about === undefined || about === null ? undefined : `${id}-about`;
  const face = (
    <>
      {labelPlace === 'inside' && (
        <span className={classes.name} aria-hidden="true">
          {label}
        </span>
      )}
      <span className={classes.value} id={`${id}-value`} data-empty={selected === undefined}>
        {selected?.label ?? placeholder}
      </span>
      <IconSelector size={14} stroke={1.7} className={classes.glyph} aria-hidden="true" />
    </>
  );
  const button = {
    id,
    className: classes.control,
    disabled,
    onBlur,
    'data-marked': marked,
    'data-place': labelPlace,
    'aria-labelledby': `${id}-label ${id}-value`,
    'aria-describedby': describedBy,
    'aria-invalid': problem !== null,
  };
  return (
    <div className={classes.field} data-place={labelPlace} data-wrong={problem !== null}>
      <label id={`${id}-label`} htmlFor={id} className={labelPlace === 'above' ? classes.label : 'visually-hidden'}>
        {label}
      </label>
      {Open === null || opens === 0 ? (
        <button
          type="button"
          role="combobox"
          aria-haspopup="listbox"
          aria-expanded={false}
          aria-controls={undefined}
          {...button}
          onPointerEnter={() => setIsNear(true)}
          onFocus={() => setIsNear(true)}
          onClick={() => setOpens(opens + 1)}
          onKeyDown={(event) => {
            if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
            event.preventDefault();
            setOpens(opens + 1);
          }}
        >
          {face}
        </button>
      ) : (
        <Open
          label={label}
          button={button}
          face={face}
          options={options}
          value={value}
          onChange={(next) => {
            const found = options.find((option) => option.value === next);
            if (found !== undefined) onChange(found.value);
          }}
        />
      )}
      {describedBy !== undefined && (
        <p id={describedBy} className={problem === null ? classes.hint : classes.problem} aria-live="polite">
          {about}
        </p>
      )}
    </div>
  );
}
