import type { VNode } from 'preact';
import { addressOf } from '../../shared/address-fields.js';
import { ReportPanel } from '../../widgets/report-panel.js';
import { PERSON_ADDRESS, type PersonView } from '../address.js';
import type { PersonData } from '../data-types.js';

interface ReportProps {
  readonly view: PersonView;
  readonly data: PersonData;
}

/** The printed page's text on the assumptions about a person, and how to print and cite the page. */
export function Report({ view, data }: ReportProps): VNode {
  const lies = data.positions === undefined;
  return (
    <ReportPanel
      title={PERSON_ADDRESS.title(view)}
      path={addressOf(PERSON_ADDRESS, view)}
      data={data}
    >
      <p class="on-paper">
        The body is a mannequin fitted to numbers, {lies ? 'lying' : data.pose}, without clothing;
        it is not a scan of anybody. What is not known of the person is completed with the most
        probable values. Mesh: MakeHuman, CC0 1.0{lies ? '' : ', about 4,100 vertices'}.
      </p>
    </ReportPanel>
  );
}
