import { Search } from 'lucide-react';
import { Input } from '../../parts/field.tsx';

type FilterProps = Readonly<{ value: string; onChange: (value: string) => void }>;

export const FILTER_CHARS_MAX = 100;

export function Filter({ value, onChange }: FilterProps) {
  return (
    <div className="relative">
      <Search
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-muted"
      />
      <Input
        type="search"
        aria-label="Filter operations"
        placeholder="Filter operations"
        maxLength={FILTER_CHARS_MAX}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        onKeyDown={({ key }) => key === 'Escape' && onChange('')}
        className="pl-8.5"
      />
    </div>
  );
}
