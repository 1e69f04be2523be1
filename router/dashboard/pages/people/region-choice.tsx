import { type Region, REGION_NAMES } from '../../../../shared/region.ts';
import { servedRegions } from '../../served-regions.ts';

const MEANS: Readonly<Record<Region, string>> = {
  global: 'Requests run in any region. No specific region is guaranteed.',
  us: 'Requests run only in the US, at a base URL of its own.',
  eu: 'Requests run only in the EU, at a base URL of its own.',
};

/**
 * A choice of the region that serves the organization's requests: the form's field `region`. Where
 * one region is served, nothing is shown.
 */
export function RegionChoice() {
  const regions = servedRegions();
  const [first] = regions;
  if (regions.length === 1) return <input type="hidden" name="region" value={first} />;
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 text-sm font-medium">Region</legend>
      <div className="grid gap-2">
        {regions.map((region) => (
          <label
            key={region}
            className="grid cursor-pointer grid-cols-[auto_minmax(0,1fr)] items-start gap-x-3 gap-y-0.5 rounded-lg border border-line-strong px-3.5 py-2.5 text-sm hover:bg-hover has-checked:border-accent has-checked:bg-accent-soft"
          >
            <input
              type="radio"
              name="region"
              value={region}
              defaultChecked={region === first}
              className="mt-0.5 accent-accent"
            />
            <span className="font-medium">{REGION_NAMES[region]}</span>
            <span className="col-start-2 text-muted">{MEANS[region]}</span>
          </label>
        ))}
      </div>
      {first === 'global' && (
        <p className="text-xs text-muted">
          You can move the organization from Global to{' '}
          {regions
            .slice(1)
            .map((region) => REGION_NAMES[region])
            .join(' or ')}{' '}
          later, but not back or to another region.
        </p>
      )}
    </fieldset>
  );
}
