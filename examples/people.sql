-- How do stature and hip breadth go together among adults of Germany and Japan?
-- First draw people, offline:
--   npx vitruvia people --countries DE,JP --ages 18-65 --count 10000 --seed 7 \
--     --measurements Stature,HipBreadth --format csv > people.csv
-- NA is Namibia: only an empty cell is a missing value.
select
  country,
  gender,
  count(*) as people,
  round(avg(Stature)) as stature_mm,
  round(avg(HipBreadth)) as hip_breadth_mm,
  round(corr(Stature, HipBreadth), 2) as correlation
from read_csv('people.csv', nullstr = '')
group by country, gender
order by country, gender;
