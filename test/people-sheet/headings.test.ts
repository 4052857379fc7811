import { expect, it } from 'vitest';
import type { BODY_MEASUREMENTS } from '../../src/operations/fields.js';
import { samplePeople } from '../../src/operations/sample-people.js';
import { PeopleSheet, type SheetOptions } from '../../src/people-sheet/people-sheet.js';
import { realModel } from '../support/servers.js';

type Name = (typeof BODY_MEASUREMENTS)[number];

const model = await realModel();

/** Opens a sheet whose columns are judged. The cells of its text have commas or line ends between. */
function open(text: string, options: Partial<SheetOptions> = {}): PeopleSheet {
  const [headings = [], ...rows] = text
    .trim()
    .split('\n')
    .map((line) => line.trim().split(','));
  const all: SheetOptions = {
    ...{ unit: undefined, massUnit: undefined, wanted: [], ranges: true, decimalComma: false },
    ...{ everyone: { country: 'US' }, said: new Map() },
    ...{ model, ...options },
  };
  return new PeopleSheet(headings, all, rows);
}

/** Meanings of the columns, and a word of the reason for those that are named and not used. */
function readIn({ report }: PeopleSheet): Readonly<Record<string, string>> {
  const read = [...report.read, ...report.guessed].map((text) => {
    const [, heading = '', what = ''] = /^"(.*?)" is (.*?)(?: \(a guess.*)?\.?$/.exec(text) ?? [];
    return [heading, what] as const;
  });
  const notUsed = report.notUsed.map((text) => {
    const [, heading = '', note = ''] = /^"(.*?)" is not used: (.*)$/.exec(text) ?? [];
    return [heading, `not: ${note}`] as const;
  });
  return Object.fromEntries([...read, ...notUsed]);
}

const not = (part: string) => expect.stringMatching(new RegExp(`^not: .*${part}`));
const ELSE = 'which this service does not have';

// cspell:disable
// Small files as people make them, with other numbers than theirs.
it.each<readonly [string, string, Readonly<Record<string, unknown>>]>([
  [
    'girths of men, two of them of other parts',
    `gender,age,weight (kg),height (in),Neck (cm),Abdomen (cm),Hip (cm),Biceps (cm),Forearm (cm),Ankle (cm),knee_diameter
    Male,54,71,69.5,37,80,95,30.5,28.4,22.3,18.9
    Male,47,74,67,38.4,87,97,30,28,23,19.4
    Male,25,72.5,70.5,36,84,95.5,31,28.3,21.9,19
    Male,51,62.5,69,36,81,90,28.5,26.2,21.6,18.3
    Male,33,85,69.5,40,96,101,33.5,30.2,23.5,20.2
    Male,61,80,72.5,37.5,89,98,30.8,29.3,23.4,19.9`,
    {
      ...{ 'weight (kg)': 'BodyMass in kg', 'height (in)': 'Stature in in' },
      ...{ 'Neck (cm)': 'NeckCircumference in cm', 'Hip (cm)': 'HipCircumferenceMax in cm' },
      'Abdomen (cm)': 'WaistCircumferenceAbdominal in cm',
      'Biceps (cm)': 'UpperArmCircumferenceMidpoint in cm',
      'Forearm (cm)': not(`BackOfElbowToWristLength; or the girth of the forearm, ${ELSE}`),
      'Ankle (cm)': not(`the girth of the ankle, ${ELSE}`),
      knee_diameter: not('--columns "knee_diameter=KneeHeight'),
    },
  ],
  [
    'an exact name with another meaning',
    `gender,age,height (mm),leg-length,foot_length (cm)
    f,31,1640,748,24
    f,28,1702,779,24.8
    f,45,1588,722,23.5
    f,52,1660,757,24.3
    f,39,1615,735,23.9`,
    {
      ...{ 'height (mm)': 'Stature in mm', 'foot_length (cm)': 'FootLength in cm' },
      'leg-length': not(
        `of such people for LegLength. Its values fit the inside leg .* ${ELSE}.*=`,
      ),
    },
  ],
  [
    'taille of one person',
    'Age,Sexe,Taille (cm),Poids (kg)\n31,F,152,51',
    { 'Taille (cm)': 'Stature in cm', 'Poids (kg)': 'BodyMass in kg' },
  ],
  [
    'two columns of the same, and the surer one behind',
    'gender,age,CROTCH_Height,Inseam,waist_girth,navel_girth\nMale,36,801,815,880,905',
    {
      ...{ CROTCH_Height: 'CrotchHeight in mm', Inseam: not('the same as "CROTCH_Height"') },
      navel_girth: 'WaistCircumferenceAbdominal in mm',
      waist_girth: not('the same as "navel_girth"'),
    },
  ],
  [
    'two columns of one stature, and two that differ',
    'sex,age,Stature (mm),height_cm,knee height (cm),Knee_height\nf,30,1702,170,54.2,53\nf,40,1655,166,53.1,52',
    {
      height_cm: not('the same as "Stature \\(mm\\)"'),
      'knee height (cm)': not('it and "Knee_height" are both KneeHeight.*cm\\)=KneeHeight"'),
      Knee_height: not(
        'it and "knee height \\(cm\\)" are both KneeHeight, and their values differ',
      ),
    },
  ],
  [
    'feet and inches',
    'sex,age,height_ft,height_in,foot length (ft),foot length (in)\nf,30,5,6,0.8,9.6\nm,40,5,11,0.85,10.2\nm,40,5,13,0.85,10.2',
    {
      height_ft: 'Stature in ft, with the inches of "height_in"',
      'foot length (ft)': 'FootLength in ft',
      'foot length (in)': not('the same as "foot length \\(ft\\)"'),
    },
  ],
  [
    'feet, and the same lengths in inches',
    'sex,age,height_ft,height_in,foot length (ft),foot length (in)\nf,30,5,66,1,9.6\nm,40,6,72,1,11\nm,40,6,7,1,10.2',
    {
      height_ft: not('it and "height_in" are both Stature, and their values differ'),
      height_in: not('it and "height_ft" are both Stature, and their values differ'),
      'foot length (ft)': not('1 of 3 values'),
      'foot length (in)': 'FootLength in in',
    },
  ],
  [
    'no accents, no units',
    'Họ tên,Giới tính,Tuổi,Chiều cao,Cân nặng\nA,Nam,25,166,58\nB,Nữ,24,155,47',
    { 'Chiều cao': 'Stature in cm', 'Cân nặng': 'BodyMass in kg' },
  ],
  [
    'pounds and inches',
    'gender,age,Weight,Height\nf,30,140,64\nm,41,190,70',
    { Weight: 'BodyMass in lb', Height: 'Stature in in' },
  ],
  [
    'a load, horses and jin',
    'gender,age,weight_jin,Height (hands),Load (kg),Stature (kg),fat (g)\nf,30,120,17,20,60,9',
    {
      weight_jin: 'BodyMass in jin',
      'Height (hands)': not('"hands" is no unit'),
      'Load (kg)': not('no word for the mass of a body.*"Load \\(kg\\)=BodyMass"'),
      'Stature (kg)': not('kg is no unit of Stature'),
    },
  ],
  [
    'no person that can be read',
    'gender,age,Stature,weight (kg),helmet\nx,30,1700,65,57',
    {
      Stature: not('could be compared.*=Stature \\(mm\\)"'),
      'weight (kg)': 'BodyMass in kg',
      helmet: not('could be compared'),
    },
  ],
  [
    'ages',
    'sex,Age (months),Age group,Height (cm)\nf,30,2-3,90',
    {
      'Age (months)': 'the age in months',
      'Age group': not('no unit of age'),
      'Height (cm)': 'Stature in cm',
    },
  ],
  [
    'Indonesian clinic',
    'JK,sex,Umur (bulan),TB,BB,LILA,Lingkar Panggul\nL,L,26,87,12.1,15,47',
    {
      'Umur (bulan)': 'the age in months',
      ...{ TB: 'Stature in cm', BB: 'BodyMass in kg', LILA: 'UpperArmCircumferenceMidpoint in cm' },
      'Lingkar Panggul': 'HipCircumferenceMax in cm',
    },
  ],
  [
    'DHS',
    'hc27,hc1,hc2,hc3\n2,24,113,842',
    { ...{ hc1: 'the age in months', hc2: 'BodyMass in hg', hc3: 'Stature in mm' } },
  ],
])('%s', (_, text, columns) => {
  expect(readIn(open(text))).toEqual(columns);
});

// Country, gender, age, mass and stature in the languages of the search.
it.each([
  ['Land,Geschlecht,Alter,Gewicht (kg),Körpergröße (cm)', 'weiblich'],
  ['Pays,Sexe,Âge,Poids (kg),Taille debout (cm)', 'féminin'],
  ['País,Sexo,Edad (años),Peso (kg),Estatura (cm)', 'mujer'],
  ['País,Sexo,Idade,Peso (kg),Altura corporal (cm)', 'feminino'],
  ['Paese,Sesso,Età,Peso (kg),Statura (cm)', 'femmina'],
  ['Land,Geslacht,Leeftijd,Lichaamsgewicht (kg),Lichaamslengte (cm)', 'vrouw'],
  ['Kraj,Płeć,Wiek,Waga (kg),Wzrost (cm)', 'K'],
  ['Ülke,Cinsiyet,Yaş,Ağırlık (kg),Boy uzunluğu (cm)', 'kadın'],
  ['Страна,Пол,Возраст,Вес (кг),Рост (см)', 'женский'],
  ['国家,性别,年龄,体重 (公斤),身高 (厘米)', '女'],
  ['国,性別,年齢,体重 (kg),身長 (cm)', '女子'],
  ['국가,성별,나이,체중 (kg),키 (cm)', '여성'],
  ['देश,लिंग,उम्र,वजन (kg),कद (cm)', 'महिला'],
  ['البلد,الجنس,العمر,الوزن (kg),الطول (cm)', 'انثى'],
  ['Negara,Jenis Kelamin,Umur,Berat Badan (kg),Tinggi Badan (cm)', 'P'],
  ['Quốc gia,Giới tính,Tuổi,Cân nặng (kg),Chiều cao (cm)', 'Nữ'],
  ['দেশ,লিঙ্গ,বয়স,ওজন (kg),উচ্চতা (cm)', 'মহিলা'],
  ['ملک,جنس,عمر,وزن (kg),قد (cm)', 'عورت'],
  ['దేశం,లింగం,వయస్సు,బరువు (kg),ఎత్తు (cm)', 'స్త్రీ'],
  ['நாடு,பாலினம்,வயது,எடை (kg),உயரம் (cm)', 'பெண்'],
  ['ਦੇਸ਼,ਲਿੰਗ,ਉਮਰ,ਭਾਰ (kg),ਕੱਦ (cm)', 'f'],
  ['nchi,jinsia,umri,uzito (kg),urefu (cm)', 'mwanamke'],
  ['bansa,kasarian,edad,timbang (kg),taas (cm)', 'babae'],
  ['ประเทศ,เพศ,อายุ,น้ำหนัก (kg),ส่วนสูง (cm)', 'หญิง'],
  ['country,RIAGENDR,RIDAGEYR,BMXWT,BMXHT', '2'],
  ['country,male,age,wt (kg),ht (cm)', '0'],
])('%s', (headings, woman) => {
  const row = open(`${headings}\nNL,${woman},40,65,170`).read(['NL', woman, '40', '65', '170']);
  expect(row).toMatchObject({
    request: {
      ...{ country: 'NL', gender: 'Female', age: 40 },
      known: [
        { measurement: 'BodyMass', value: 65, unit: 'kg' },
        { measurement: 'Stature', value: 170, unit: 'cm' },
      ],
    },
  });
});
// cspell:enable

it('--columns, --unit and ranges of an earlier run win over values; a wrong heading is named', () => {
  const said = new Map([
    ['foo', 'Stature (cm)'],
    ['Leg', 'LegLength'],
    ['Hip', 'none'],
  ]);
  const text = 'sex,age,Foo,Leg (cm),Hip (cm),knee girth,Stature low (cm)\nf,40,170,10,99,1,160';
  expect(readIn(open(text, { said, unit: 'cm' }))).toEqual({
    ...{ Foo: 'Stature in cm', 'Leg (cm)': 'LegLength in cm' },
    ...{ 'Hip (cm)': 'not: as --columns says.', 'knee girth': not('it is 1 cm, and 3') },
  });
  expect(() => open(text, { said: new Map([['Bar', 'Span']]) })).toThrow(
    '--columns: no column has the heading "Bar".',
  );
  expect(() => open(text, { said: new Map([['Foo', 'bust of Homer']]) })).toThrow(
    'is no measurement',
  );
});

it.each([
  ['sex,age', 'No column is a measurement.'],
  ['sex,age,Load (kg)', '"Load (kg)" is not used'],
  ['sex,Stature', 'The file does not say the age of its people. Add --age.'],
  ['sex,DOB,Stature', 'a date of birth needs a date of measurement'],
])('refuses %s', (headings, message) => {
  expect(() => open(headings)).toThrow(message);
});

/** Headings with several meanings, and what their columns have in a file of lengths and in one of girths. */
const TRUTHS = `
Taille,WaistCircumferenceAbdominal,Stature
Leg,OutsideLegLength,CrotchHeight
Forearm,ForearmLength,WristCircumference
Knee,KneeHeight,KneeCircumference
Seat,SeatHeight,HipCircumferenceMax
Upper leg,ButtockKneeLength,ThighCircumferenceMidpoint
Lower arm,ElbowFingertipLength,BackOfElbowToWristLength
Arm,UpperArmCircumferenceMidpoint,ShoulderToWristLength
Thigh,ThighLength,ThighCircumferenceBelowButtock
Chest,ChestBreadth,ChestCircumferenceNipple
Hand,HandLength,HandBreadth
Foot,FootCircumferenceBall,FootBreadth
Head,HeadLength,HeadGirth
Neck,C7HeightStanding,NeckCircumference
Shoulder,ShoulderHeight,ShoulderBreadthBiacromial
Waist,WaistDepthStanding,WaistHeightStanding
Hip,HipHeight,HipBreadth
Wrist,WristCircumference,WristWidth
Calf,PoplitealHeight,CalfCircumference
Back,ShoulderBreadthBideltoid,DorsomLength`;

// Everybody is larger than the model says by half a standard deviation in the second file.
it.each([
  ['lengths', 1, 1],
  ['girths of larger people', 2, 1.03],
])('%s of 200 people: no column is read wrongly, and each other one is named', (_, at, factor) => {
  const truths = TRUTHS.trim()
    .split('\n')
    .map((line) => line.split(','))
    .map((cells) => ({ heading: `${cells[0]} (cm)`, name: cells[at] as Name }));
  const population = { groups: [{ countries: ['US' as const], ageMin: 18, ageMax: 65 }] };
  const measurements = [...new Set<Name>([...truths.map(({ name }) => name), 'BodyMass'])];
  const { people } = samplePeople.run({ population, count: 200, seed: 46, measurements }, model);
  const rows = people.map(({ gender, age, measurements }) => [
    ...[gender, age + 0.5, measurements.BodyMass],
    ...truths.map(({ name }) => ((measurements[name] as number) * factor * 0.1).toFixed(1)),
  ]);
  const headings = ['gender', 'age', 'Poids (kg)', ...truths.map(({ heading }) => heading)];
  const read = readIn(open([headings, ...rows].join('\n')));
  const right = truths.filter(({ heading, name }) => {
    const what = read[heading] ?? 'not named';
    if (/^not: .*(--columns ".*=\w+|the same as)/.test(what)) return false;
    expect(`${heading}: ${what}`).toBe(`${heading}: ${name} in cm`);
    return true;
  });
  expect(right.length).toBeGreaterThanOrEqual(9);
});
