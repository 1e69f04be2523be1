/** What the pages for signing in and up say about the product, and where they lead. */
import { Link } from '@tanstack/react-router';
import { areModelsPublic } from '../../api/public-figures.ts';
import { contactLink } from '../../service.ts';

/** Without the full stop of a sentence. */
export const PRODUCT_LINE = 'OpenAI-compatible API for open models, paid per token';

/** Less prominent than the links to what a person came for. */
const QUIET = 'hover:text-ink hover:underline';

export function ProductLinks() {
  const contact = contactLink();
  return (
    <p className="mt-3 flex flex-wrap gap-x-4 gap-y-1.5 border-t pt-4 first:mt-0">
      <Link to="/docs" className={QUIET}>
        Docs
      </Link>
      {areModelsPublic() && (
        <>
          <Link to="/catalog" className={QUIET}>
            Models
          </Link>
          <Link to="/status" className={QUIET}>
            Status
          </Link>
        </>
      )}
      {contact !== null && (
        <a href={contact} className={QUIET}>
          Support
        </a>
      )}
    </p>
  );
}
