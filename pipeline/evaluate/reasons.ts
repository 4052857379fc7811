import type { MeasurementName } from '../../src/core/measurements.js';

/**
 * Reasons why a dimension of the national studies has an error of more than half an SD. They come from comparing its
 * rows in `data/raw/world/studies.csv` with the US surveys. A dimension without a reason is listed as unexplained.
 */
export const REASONS: Readonly<Partial<Record<MeasurementName, string>>> = {
  BackOfHeadToEye:
    'Instrument, probably the position of the head against the wall: the Greek rows lie below the US level, the Korean rows and one group of US women above it.',
  BackOfHeadToTragion:
    'Instrument: all but the Greek rows read 1 to 9 mm above the 1988 headboard, as USAF 1967 did (103 against 99 mm); they were measured from a wall, not from a headboard.',
  Biocular:
    'Definition: the level comes from 3D photographs at the outer corner of the eye; calipers of the 1960s read up to 10 mm more (USAF 1967: 92 against 90 mm, US women 1968: 97 against 87 mm).',
  BitragionWidth:
    'Instrument: calipers of 1960 to 1972 lie 4 to 11 mm below the 1988 headboard, also in the US (women 1968: 128 against 136 mm); only the Greek and Japanese rows do not.',
  C7HeightSitting:
    'Definition: partly a difference of two standing heights and the sitting height, so posture enters three times.',
  CrotchHeight:
    'Population and definition: at equal stature, legs in Japan, Korea, Iran, Thailand and Vietnam are 3 to 9 % shorter, those in the United States and Germany are not; the country’s own shift corrects this.',
  EarBreadth:
    'Probably definition: the rows of German and US women (1967/68) read 3 mm less than ANSUR; the others agree with it.',
  EarLength:
    'Definition: only the US women of 1968 differ, by 7 mm in every sample of that survey; the others lie within 2 mm.',
  EyeScalpDistance:
    'Instrument: differences of two heights, which add both errors (SD 9 to 13 mm against the headboard’s 5.7, the unit here): women of the US and Australia lie 5 to 11 mm above the 1988 headboard, men of Britain and New Zealand 7 to 13 mm below.',
  FootCircumferenceBall:
    'Era and population: at equal stature, lean soldiers of Asia, Greece and South Africa have feet 2 to 6 % wider; the Canadian row, 8 % low, is probably another girth.',
  FootHeight:
    'Definition of the outer ankle: studies differ by 10 mm among themselves, and US women of 1968 read 5 mm above ANSUR.',
  HandLength:
    'Landmark of the wrist (stylion or a crease), which differs by survey: women of the same size read 172 to 173 mm in 1952, 1971 and Australia 2015, 184 to 192 mm in the US Air Force of 1968, 180 to 181 mm in both ANSUR.',
  HandCircumference:
    'Population: the regression on BMI makes the hands of lean people too thin; most rows lie above it, in every part of the world.',
  HeadLength:
    'Era and population: 1960s samples lie 2 to 3 % below ANSUR II also in Germany, Canada and the United States; Thailand, Korea and Vietnam have shorter heads.',
  HeadToTragion:
    'Instrument: the Greek rows lie 5 mm above the US level, those of France 1967, the United Kingdom and Vietnam 3 to 5 mm below, as headboard, wall and calipers differ.',
  HeadToNoseTip:
    'Instrument and proxy: the women’s level is inferred, and US women of 1968 lie 3 to 8 mm above it.',
  HipBreadth:
    'Population and era: hips of lean Canadian, US, British and German samples are wider than the regression on BMI predicts; those of East Asia are narrower at equal stature.',
  JawWidth:
    'Definition, probably pressed against the bone: the French samples read 102 to 105 mm, US women 102 mm, against the 1988 headboard’s 119 and 108 mm.',
  KnuckleHeight:
    'Proxy: here it is wrist height − 0.48 hand length; the studies measured the height of the metacarpal.',
  LipLength:
    'One survey: US women of 1968 read 43 to 48 mm against 49 mm of 3D photographs; the others lie within 4 %.',
  NoseLength:
    'Definition: from the nasal root’s depression (French: 55 to 56 mm) or from sellion (US: 50 mm).',
  PoplitealHeight:
    'Definition or instrument, which the sources do not give: US women of 1968 read 22 mm above ANSUR at the same stature, French men 15 to 25 mm.',
  ShoulderBreadthBiacromial:
    'Instrument: ANSUR II’s men (416 mm) lie 19 mm above ANSUR I’s (397 mm) at the same stature; nearly all other surveys agree with ANSUR I.',
  ShoulderBreadthBideltoid:
    'Era: soldiers of today are broader than their BMI explains (510 mm in 2012, 492 mm in 1988, 482 mm in 1967); samples of 1955 to 1975 lie below.',
  ThighLength:
    'Definition: a difference of trochanter and tibia heights; the trochanter of the French surveys lies 20 mm higher.',
  ThighThickness:
    'Instrument and era: thigh clearance of 1955 to 1973 reads 12 to 40 mm below ANSUR II, also in the US general population of 1960 (143 mm); ANSUR I lies half way for men.',
  TopOfHeadToStomion:
    'Instrument: German men and US women differ from the 1988 headboard in opposite directions.',
  WristCircumference:
    'Position of the tape (at, below or above the styloid), which differs by survey: US women of the same size read 137 mm in 1971, 151 mm in 1988 and 154 mm in 1952; Iranian, Australian, German and Greek wrists lie above the regression on BMI, Vietnamese below.',
};
