import type { OperationName } from '../operations/operation.js';

const NAMES =
  'Measurement names are exact: find one with get_catalog (free) rather than guessing. Lengths are in `unit`: mm (default), cm or in.';
const WHERE = 'Country defaults to US, clothing to nude, posture to standing_erect.';

/** What each tool is for and what it costs, for a model that has to choose one. */
export const TOOL_DESCRIPTIONS: Readonly<Record<OperationName | 'get_catalog', string>> = {
  get_catalog:
    'List what the service knows: the 148 measurement names with their definitions, the 176 country codes, units, clothing and posture ids, limits, prices and errors. Use it before any other tool to find the exact name of a measurement. Always narrow it: `text` searches names and definitions ("seat depth", "hand"), `kind` and `posture` restrict the measurements, `country` finds a country code by name. Without arguments it returns the whole catalog, which is long. Free; it counts as one request of the rate limit.',
  predict: `Predict one body dimension at one percentile of one population (gender, exact age, country). Use it for a single design value, such as the hip breadth a seat must fit for 95 % of women. For several percentiles use predict_range, for several countries predict_compare. ${WHERE} ${NAMES} Costs 1 credit or free call on success, nothing otherwise.`,
  predict_range: `Predict one body dimension at 1 to 20 percentiles of one population. Use it for the span a product must adjust over, such as the 5th to 95th percentile of popliteal height, or to sketch a size run. ${WHERE} ${NAMES} Costs 1 credit or free call per percentile on success, nothing otherwise.`,
  predict_compare: `Predict one body dimension at one percentile in 1 to 10 countries. Use it to compare markets, or to see where a product would not fit. Clothing defaults to nude, posture to standing_erect. ${NAMES} Costs 1 credit or free call per country on success, nothing otherwise.`,
  percentile_lookup: `Find at which percentile of a population an observed length lies: the inverse of predict. Use it to say what share of people a given size serves, such as how many can reach a shelf. Answers between the 1st and the 99th percentile; outside, the refusal gives the smallest and largest value it would answer. ${WHERE} ${NAMES} Costs 1 credit or free call on success, nothing otherwise.`,
  connected_dimension: `Given people whose anchor dimension lies at a percentile (say stature at the 5th), predict another dimension of theirs (say reach): its mean, the central range that covers \`accommodationPercent\` of them, and its distribution. Use it instead of combining two percentiles yourself, which overstates the range. ${WHERE} ${NAMES} Costs 1 credit or free call on success, nothing otherwise.`,
};

/** Told to a client when it connects. */
export const INSTRUCTIONS =
  'Vitruvia predicts body measurements (148 dimensions, both genders, ages 0 to 120, 176 countries). Find exact measurement names and country codes with get_catalog and its filters first; then call the tool that asks for all you need at once: predict_range for several percentiles, predict_compare for several countries. Every successful prediction is billed; refused calls and get_catalog are not. A call repeated with the same _meta["vitruvia/idempotency-key"] within 24 hours is answered again uncharged.';
