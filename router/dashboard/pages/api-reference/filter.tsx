import { SearchInput } from '../../parts/list/search-input.tsx';

type FilterProps = Readonly<{ value: string; onChange: (value: string) => void }>;

export const FILTER_CHARS_MAX = 100;

export function Filter({ value, onChange }: FilterProps) {
  return (
    <SearchInput
      label="Filter operations"
      placeholder="Filter operations"
      charsMax={FILTER_CHARS_MAX}
      value={value}
      onChange={onChange}
    />
  );
}
