mod bolts;
